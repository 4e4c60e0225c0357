cd "$(mktemp -d)" || exit 1
for i in 1 2 3 4 5 6; do echo "2024-01-0$i GET /p$((i%3)) $((200+i%2*204)) ${i}ms"; done > log; grep ' 404 ' log | cut -d' ' -f3 | sort | uniq -c | sort -rn; cut -d' ' -f3 log | sort | uniq -c; grep -oE '[0-9]+ms' log | tr -d ms | sort -n | tail -1; grep -c GET log; tac log | head -1; nl log | tail -1
