cd "$(mktemp -d)" || exit 1
printf 'a\nfoo\0bar\nfoo x\0' > f; for p in '^foo' 'a$' '^a' 'foo$' 'a.f' '[^x]f' '\sf' '\Wf' '^.*$'; do echo "[$p]"; grep -zc "$p" f; grep -zcE "($p)" f; done; grep -zxc 'foo' f; grep -zPc 'a.f' f; grep -zo 'a.f' f | od -c; grep -T foo f; printf 'ab\n\nb\n' > g; grep -nT b g; grep -HT '' g; grep -bT b g; grep -nbHT b g; grep -HZT b g | od -c
