export LC_ALL=C
cd "$(mktemp -d)" || exit 1
mkdir -p dir/sub; : > dir/file; ln -s ../dir dir/looper; ln -s b a; ln -s a b; ln -s gone dangling
for w in '-L dir' '-L dir -name looper' '-L a b' '-L . -name zz' '-H a dangling' 'a -printf %y%Y\n' '-L dangling'; do find $w 2>&1 | sort; echo "$w: ${PIPESTATUS[0]}"; done
echo '# white space before items'
printf ' \v\r a\vb \n\f\n\r\n  c d\n' > in
xargs -n1 < in | od -c; xargs -I% echo '[%]' < in | od -c; xargs -L1 < in | od -c; printf '\n \n' | xargs -r echo none
