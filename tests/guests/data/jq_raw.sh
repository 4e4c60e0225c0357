cd "$(mktemp -d)" || exit 1
echo '["a","b\nc",1,null]' > f; jq -r '.[]' f; jq -j '.[]' f; echo; jq --raw-output0 '.[]' f | od -An -c; jq -ra '.[0],"é"' f
