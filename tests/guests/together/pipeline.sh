# Shell, tools and Python in one pipeline, with the exit status of the last.
set -euo pipefail
printf '%s\n' pear apple fig apple | sort | uniq -c | sort -rn | head -n 1 | python3 -c '
import sys
count, word = sys.stdin.read().split()
print(f"{word} x{count}")
'
echo data > /tmp/shared.txt
python3 -c 'open("/tmp/shared.txt", "a").write("more\n")'
wc -l < /tmp/shared.txt | tr -d ' '
exit 3
