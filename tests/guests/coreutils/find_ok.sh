cd "$(mktemp -d)" || exit 1
touch a b; printf 'y\n' | find . -name a -ok echo yes {} \; 2>/dev/null; printf 'n\n' | find . -name a -ok echo no {} \; 2>/dev/null; echo $?
