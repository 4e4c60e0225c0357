cd "$(mktemp -d)" || exit 1
touch 'a b' c; find . -type f -print0 | sort -z | tr '\0' '|'; echo; find . -type f -print0 | xargs -0 -n1 echo | sort; find . -type f -fprint out; sort out | grep -v out
