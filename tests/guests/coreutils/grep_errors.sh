cd "$(mktemp -d)" || exit 1
echo x > f; for p in '\(' 'a\{1' '[a' '[[:foo:]]' 'a\' '\1' '[b-a]' '[:space:]'; do grep "$p" f; echo $?; done 2>/dev/null; for p in '(' 'a)' '[a' '*a' 'a{2,1}'; do grep -E "$p" f; echo $?; done 2>/dev/null; grep 2>/dev/null; echo $?; grep -A x foo f 2>/dev/null; echo $?; grep -P '(' f 2>/dev/null; echo $?
