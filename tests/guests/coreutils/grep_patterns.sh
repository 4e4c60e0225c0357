cd "$(mktemp -d)" || exit 1
printf 'a\nb\nc\nab\n' > f; grep -e a -e b f; echo --; printf 'a\nc\n' > p; grep -f p f; echo --; grep -x -f p f; echo --; : > empty; grep -f empty f; echo $?; grep -vf empty f; grep 'a
b' f; grep -F 'a
c' f; grep -e '' f; grep -E 'b|^a$' f; echo --; grep -- -x f; echo $?
