cd "$(mktemp -d)" || exit 1
jq -nr '"a\(1+1)b\("x")\([1,{"y":null}])"'; jq -nc '"\(1,2)-\(3,4)"'; jq -nr '@json "v=\("q\"")"'; jq -nr '"nested \("in \("side")")"'; jq -nc '"\u00e9\ud83d\ude00\t\\"'; jq -nr '"tab\there\\n"'
