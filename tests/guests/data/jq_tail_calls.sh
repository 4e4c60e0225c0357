cd "$(mktemp -d)" || exit 1
jq -nc 'def f: if . >= 200000 then . else .+1|f end; 0|f'; jq -nc '[range(100000)]|length'; jq -nc 'last(range(100000))'; jq -nc 'reduce range(50000) as $i ([];.+[$i])|length'; jq -nc 'reduce range(20000) as $i ({};.["k\($i)"]=$i)|length'; jq -nc '0|until(.>=100000;.+1)'; jq -nc 'def r: if .>0 then (.-1|r)+1 else 0 end; 20000|r'
