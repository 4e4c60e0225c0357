cd "$(mktemp -d)" || exit 1
echo hello | base64; echo aGVsbG8K | base64 -d; echo hi | base32; echo NBUQU=== | base32 -d; head -c 60 /dev/zero | base64; head -c 60 /dev/zero | base64 -w0; echo; echo '!!' | base64 -d; echo $?; echo hi | basenc --base16; echo hi | basenc --base64url; printf '\377\376' | base64
