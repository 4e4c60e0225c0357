cd "$(mktemp -d)" || exit 1
echo '{"a":[1,{"b":2}],"c":[]}' > f; jq -c --stream . f; jq -nc --stream 'fromstream(inputs)' f; jq -c 'tostream' f; jq -nc --stream '[inputs|select(length==2)|.[0]|join(".")?]' f; jq -c '[1|truncate_stream([[0],1],[[1,0],2],[[1,0]],[[1]])]' f; printf '[1,' | jq -c --stream-errors . ; echo '3 [] "x"' | jq -c --stream .
