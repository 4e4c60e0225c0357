cd "$(mktemp -d)" || exit 1
for t in '[1,2' '{"a":1,}' '[1,]' '{"a"}' '{1:2}' '[1 2]' 'tru' 'nul' '"\x"' '"a' '1a' '[}' ']' '{"a":1]' ',' ':' '"\ud800"' '{"a" 1}'; do printf '%s' "$t" | jq -c . 2>&1; echo "[$?]"; done
