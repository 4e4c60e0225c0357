cd "$(mktemp -d)" || exit 1
echo '{"b":[1,2.50,"x\u00e9",null,true],"a":{"c":{}}}' > f; jq . f; jq -c . f; jq -S . f; jq --tab .b f; jq --indent 1 .a f; jq -a . f
