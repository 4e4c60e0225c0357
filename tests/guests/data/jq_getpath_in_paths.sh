cd "$(mktemp -d)" || exit 1
jq -nc '{"a":1,"b":{"c":2}}|[paths]|map(join("."))' ; jq -nc '{"a":1,"b":{"c":2}}|[paths(scalars) as $p|{($p|join(".")):getpath($p)}]|add'; jq -nc '{"a.b":1}|reduce to_entries[] as $e ({};setpath($e.key|split(".");$e.value))'; jq -nc '[[0,1],[2,[3]]]|[paths(type=="number")]'; jq -nc '{"a":[1,2]}|path(.a|.[0],.[1])'
