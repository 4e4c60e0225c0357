cd "$(mktemp -d)" || exit 1
jq -nc '[{"id":1,"n":"a"},{"id":2,"n":"b"}] as $l|[{"id":2,"x":9}] as $r|[JOIN($l|INDEX(.id);$r[];.id|tostring)]'; jq -nc '2|IN(1,2,3)'; jq -nc '[1,2]|IN([1,2],[3])'; jq -nc 'IN(1,2;2,3)'; jq -nc 'INDEX({"id":1},{"id":2};.id)'; jq -nc '[{"a":1,"b":2},{"a":3,"b":4}]|(.[0]|keys_unsorted) as $k|$k,map([.[$k[]]])|@csv' -r
