cd "$(mktemp -d)" || exit 1
A=1 B='x y' jq -nr 'env.A,$ENV.B,(env|has("A"))'; jq -nr '$ENV|type'; unset C; jq -n 'env.C'
