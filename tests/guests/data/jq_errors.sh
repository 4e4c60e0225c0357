cd "$(mktemp -d)" || exit 1
echo '{"a":1}' | jq '.a.b' 2>&1; echo '[1]' | jq '.x' 2>&1; printf '1\n2\n{"a":3}' | jq '.a' 2>&1; echo 'null' | jq '.[]' 2>&1; echo '{}' | jq 'error({a:1})' 2>&1; echo '"x"' | jq '. - 1' 2>&1; printf '[1,2' | jq . 2>&1; echo '{"a":nope}' | jq . 2>&1; echo "{'a':1}" | jq . 2>&1; jq -n '{} | error' 2>&1; jq -n 'error(null)' 2>&1
