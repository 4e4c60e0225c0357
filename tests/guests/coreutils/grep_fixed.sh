cd "$(mktemp -d)" || exit 1
printf 'a.b\naxb\na*b\n[x]\nA.B\n\\n\n' > f; grep -F a.b f; grep -F 'a*b' f; grep -F '[x' f; grep -Fi a.b f; grep -Fo a.b f; grep -Fx a.b f; fgrep '\n' f; grep -Fw a f; printf 'abcd\n' | grep -oF -e ab -e abc
