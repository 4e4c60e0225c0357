cd "$(mktemp -d)" || exit 1
printf 'name,age\nann,30\nbob,25\n' > c.csv; jq -Rn '[inputs|split(",")] as [$h,$r1,$r2]|[$r1,$r2]|map(. as $r|reduce range($h|length) as $i ({};.[$h[$i]]=$r[$i]))' c.csv -c; jq -Rsc 'split("\n")|map(select(length>0)|split(","))|.[0] as $h|.[1:]|map([$h,.]|transpose|map({(.[0]):.[1]})|add)' c.csv
