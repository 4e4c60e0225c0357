cd "$(mktemp -d)" || exit 1
echo '{"a":[1,"x",null,true,false,{}],"b":{}}' > f; jq -C . f; jq -Cc . f; JQ_COLORS='0;31:0;32:0;33:0;34:0;35:1;36:1;37:4;31' jq -C . f; JQ_COLORS=bad jq -Cc .a f 2>&1; NO_COLOR=1 jq -c .b f
