yes | head -2; while true; do echo y; done | head -1; seq 100000 | head -1
