cd "$(mktemp -d)" || exit 1
jq -n '[range(3000)]|reduce .[] as $x ([];[.])|tojson|length'; jq -n 'reduce range(10001) as $x ([];[.])|tojson|contains("skipped")'; jq -n 'reduce range(9000) as $x ([];[.])|flatten|length'; jq -n '"["*10001|try fromjson catch .[:40]'; jq -n 'try ((reduce range(10001) as $_ ([];[.])) as $x|$x==($x|map(.))) catch .'
