export LC_ALL=C TZ=UTC0
cd "$(mktemp -d)" || exit 1
mkdir -p d/sub; : > d/f; : > d/x; chmod +x d/x; ln -s f d/l
echo '# -F takes no value, --classify may'
ls -FR d; ls -Fa d; ls -FC d; ls --classify=never d; ls --classif d; ls -F=x d 2>&1
echo '# widths'
mkdir n; for i in a b c d e f; do : > n/$i; done; : > w1
ls -Cw3 n; ls -Cw4 n; ls -xw7 n; ls -xw8 n; ls -w0 -x -T1 n; ls -Cw010 n; ls -Cw0x10 n; ls -Cw08 n 2>&1; ls -w-1 n 2>&1; ls -Cw99999999999999999999 n; ls -ms n; ls -ms -w 9 n
echo '# head, tail'
seq 600 > s; tail -fn1 s & p=$!; sleep 1; kill $p; wait 2> /dev/null
head -1b s | wc -c; head -2k s | wc -c; head -1m s | wc -c; head -2bc s; echo; head -3bl s | wc -l; head -n 99999999999999999999 s 2>&1; tail -c 16E s 2>&1; tail -n 99999999999999999999 s 2>&1
echo '# names from files'
: > empty; printf 's\0-\0' > list; du --files0-from=empty; echo $?; printf 's\0s\0' > two; wc -l --files0-from=two; wc --files0-from=two
printf '2\n' | od -ww 2>&1; rmdir s/ 2>&1; ln -s s ls; rmdir ls/ 2>&1; ln -s d ld; rmdir ld/ 2>&1
date --uni -d @0 +%s; date --u -d @0 +%s; csplit s '%2%-2147483648' 2>&1; sort --random-source=/dev/null <<< 'a'; pathchk -p '' 2>&1; pathchk --portability '' 2>&1; pr --number-lines= s 2>&1 | sed "s/: '.*//"
split -d50x -e200d s p; ls p*; printf '1\n2222\n3\n4' | split -C 3 - q; head q* | od -c | head -20; split ---io-blksize=2M -b 1k s z; ls z*; printf '\0\ta\n' | sort -s -k2b,2 --debug 2> /dev/null | od -c; id -z 2>&1
stat -c % s; stat -c '%q%' s 2>&1; realpath -es gone 2>&1; ln -s gone dangle; realpath -es dangle 2>&1; realpath -s dangle | sed 's|.*/||'
echo '# asked, and the same file'
: > o1; : > o2; ln o1 o3; echo n | mv -i o1 o2 2>&1; echo " $?"; echo n | cp -i o1 o2 2>&1; echo " $?"; echo n | cp -i o1 o3 2>&1; echo " $?"
mkdir A B; : > B/y; mv -T --backup A B/; ls -d A B 'B~' 2>&1
