cd "$(mktemp -d)" || exit 1
jq -nc '[label $a|label $b|1,break $a,2]'; jq -nc '[range(3) as $x|label $f|range(5)|if .>$x then break $f else . end]'; jq -nc '[limit(2;limit(3;range(10)))]'; jq -nc 'first(range(10)|select(.>3))'; jq -nc '[foreach (1,2,3) as $i (0;.+$i;select(.>1))]'; jq -nc 'def f: label $x|(1,break $x,3); [f,f]'
