cd "$(mktemp -d)" || exit 1
printf 'a b\nc\n' > f; wc f; wc -l f; wc -w < f; wc -c f; wc -m f; wc -L f; wc f f; printf 'x' | wc -l; wc nope; echo $?; printf 'h\303\251\n' | wc -m; cat f | wc
