# cut, tr, uniq, wc: combinations of options, and those that are refused (C.UTF-8)
cd "$(mktemp -d)" || exit
exec 2>&1
printf 'a:b:c:d\nno\n:\n' > f; printf 'ab\tcd\n' > t
for o in -d:\ -f1,3 -d:\ -f2- -d:\ -sf1 '-d: --complement -f2' '-d: --output-delimiter=/ -f1-2,4' -b2,1 -c-2 '-b1-2,3-4 --output-delimiter=_' -f0 -f '-f -' -f2-1 -fx -b1-x -f1-2-3 '-f1 -b1' '-b1 -s' '-b1 -d:' '-dab -f1' '-f1 none' '-f1 .'; do cut $o f; echo "cut $o: $?"; done; cut -f2 t; cut -zd: -f1 f | tr '\0' '\n'
for o in 'a-c A-C' '-d a-b' '-s ab' '-cs a-z \n' '-ds a b' '-t abc xy' 'abc x' '[:lower:] [:upper:]' '[a*2]b x' 'a [b*]' 'abc [x*2]y' '[=a=] x' '\141 \x' 'z-a x' '[:x:] x' 'a' 'a b c' '-d a b' '-ds a' '' 'a [:upper:]' '[:upper:] [:digit:]' '-c a [:upper:]' '[b*] x' 'a [b*][c*]' 'a [b*x]' '[=ab=] x' '[==] x' '[::] x'; do printf 'aabbcc xyz\n' | tr $o; echo "tr $o: $?"; done; printf 'ab' | tr a ''; tr a b < .
printf 'a\na\nb\nc\nC\nc\n' > u
for o in -c -d -u -D -i -ic --group --group=both --group=append --all-repeated=prepend --all-repeated=separate -dD -uD -1 -s1 -w0 '-c -D' '--group -c' '-f x' '-w -1' --group=x '- o p' none .; do uniq $o u; echo "uniq $o: $?"; done; uniq u o; cat o; uniq < .
printf 'one two\n\tthree\n\xc3\xa9\xff \x01\n' > w; : > e
for o in '' -l -w -c -m -L '-l -c' -lwcmL; do wc $o w; wc $o w e; wc $o < w; done; wc w none e; wc .; wc < .; printf 'w\0e\0' > l; wc --files0-from=l; wc --files0-from=none; wc --files0-from=l w; printf 'w\0\0e' | wc --files0-from=- 2> /dev/null; echo $?; cat w | wc; cat w | wc - e
