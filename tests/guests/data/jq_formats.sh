cd "$(mktemp -d)" || exit 1
echo '["a b","c\"d","<&>",1,null,true]' > f; jq -r '@csv,@tsv,@json,@text,@sh' f; jq -r '.[]|@html' f; jq -r '.[0]|@uri,@base64' f; jq -r '@base64d "x\(.[0]|@base64)"' f; jq -r '@sh "echo \(.[:2])"' f; jq -r '@uri "?q=\(.[2])"' f; jq -r '[.]|@csv' f 2>&1; jq -r '@foo' f 2>&1; jq -nr '"a\tb\\c\nd"|[.]|@tsv'
