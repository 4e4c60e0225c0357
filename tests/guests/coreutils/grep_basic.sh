cd "$(mktemp -d)" || exit 1
printf 'foo\nbar\nfoobar\n' > f; grep foo f; grep -v foo f; grep -c foo f; grep -n bar f; grep nope f; echo $?; grep -i FOO f; grep -w foo f; grep -x foo f; grep -q foo f; echo $?; grep foo nofile; echo $?; grep -s foo nofile; echo $?
