cd "$(mktemp -d)" || exit 1
echo '"日本 \ud83d\ude00 \u0000 \u007f"' > f; jq . f; jq -a . f; jq -c 'length,explode' f; jq -r '.[0:2]' f; printf '"\xff\xfea"' | jq -c '.,length'; printf '\xef\xbb\xbf[1]' | jq -c .; jq -nc '[128512,9731]|implode'; jq -nc '"é"|@uri,@base64,utf8bytelength'
