cd "$(mktemp -d)" || exit 1
echo '[{"id":1,"n":"a"},{"id":2,"n":"b"}]' > l; echo '{"1":"x","2":"y"}' > r; jq -c --slurpfile r r 'map(.v=$r[0][.id|tostring])' l; jq -sc '.[0] as $l|.[1] as $r|$l|map({(.n):$r["\(.id)"]})|add' l r; jq -nc 'input as $l|input as $r|[$l[].id],($r|keys)' l r; jq -c 'input_filename' l r
