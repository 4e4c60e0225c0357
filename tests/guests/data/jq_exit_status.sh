cd "$(mktemp -d)" || exit 1
for p in . null false '"x"' empty error '1,null' 'null,1'; do echo 1 | jq -e "$p" > /dev/null 2>&1; echo "$p $?"; done; jq -n 'halt_error' 2>&1; echo $?; jq -n '"bye\n"|halt_error(3)' 2>&1; echo $?; jq -n '{a:1}|halt_error(1)' 2>&1; echo $?; jq -n halt; echo $?; jq -n '1 +' 2>/dev/null; echo $?; echo '{' | jq . 2>/dev/null; echo $?; jq . nofile 2>&1; echo $?
