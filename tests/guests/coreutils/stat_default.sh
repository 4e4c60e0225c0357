cd "$(mktemp -d)" || exit 1
printf hello > f; chmod 644 f; touch -d '2001-02-03 04:05:06' f; stat f | head -2 | tr -s ' \t' ' ' | cut -d' ' -f1-4; stat f | grep -c Modify
