cd "$(mktemp -d)" || exit 1
yes | head -1; seq 1000000 | head -2; (yes; echo $? >&2) 2>/dev/null | head -1; seq 10 | tail -n +2 | head -n 3 | wc -l; find / -maxdepth 1 2>/dev/null | head -1; cat /dev/zero | head -c 10 | wc -c
