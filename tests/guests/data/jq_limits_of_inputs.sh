cd "$(mktemp -d)" || exit 1
seq 30000 | jq -s 'add'; seq 30000 | jq -n 'reduce inputs as $x (0;.+$x)'; seq 20000 | jq -c 'select(.%5000==0)'; seq 1000 | jq -sc 'map(select(.%250==0))'; jq -n '[range(20000)|{id:.,v:"x\(.)"}]|group_by(.id%3)|map(length)' -c; jq -n '[range(30000)]|map(.*2)|add'; jq -n '"a"*100000|length'; jq -n '[range(2000)|tostring]|join(",")|length'
