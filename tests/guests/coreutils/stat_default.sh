printf hello > f; chmod 644 f; touch -d '2001-02-03 04:05:06' f; stat f | sed -n '1p;2p' | sed 's/Blocks.*IO/IO/'; stat f | grep -c Modify
