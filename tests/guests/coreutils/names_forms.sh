# basename, dirname, echo, readlink, realpath, sleep, touch: rare forms
cd "$(mktemp -d)" || exit
exec 2>&1
r=$(pwd -P); basename -a /a/b.c / '' .c; basename -s .c a.c .c b; basename a b c; basename -z a | tr '\0' '\n'; dirname /a/b a '' / //a a//b// /a/ a/.; dirname; echo $?
env echo -n a; env echo -e '\x41\0101\101\tb\c' c; echo; env echo -nx a; env echo -E 'a\n'; env echo -e '\q\\' '\'; POSIXLY_CORRECT=1 env echo -e 'a\tb'; env echo --help x
mkdir -p d/e; : > d/f; ln -s d l; ln -s none g; ln -s o o; ln -s /dev/null n
for p in l l/f l/none l/none/x g o d/f/ d/f/x d/.. l/../d n '' .; do for o in -f -e -m; do readlink $o "$p" | sed "s|$r|R|"; done; realpath "$p" 2>&1 | sed "s|$r|R|"; realpath -s "$p" 2>&1 | sed "s|$r|R|"; done
readlink -v d none; readlink -n l g; echo; readlink -n l; echo; realpath -q none/x; echo $?; realpath --relative-to=d/e d/f l . /dev; realpath --relative-base=d d/f . | sed "s|$r|R|"; realpath --relative-to=d --relative-base=. d/f / ; realpath -e --relative-to=d/f d; realpath -L l/.. | sed "s|$r|R|"; realpath -z d | tr '\0' '\n' | sed "s|$r|R|"; readlink; realpath
sleep x 1y; sleep; sleep 0 0.0s 0x0p1; echo $?
touch -d 2001-02-03 -r d/f a; stat -c %y a | cut -c1-19; touch -r a -d '1 day' b; stat -c %y b | cut -c1-19; touch -t 0102030405.06 c; stat -c %y c | cut -c1-19; touch --time=access -d @7 c; stat -c '%X' c; touch -h -d @8 g; stat -c %Y g; touch -c none; ls none; touch g; ls none; touch none/x; touch -d x a; touch -t 13010000 a; touch -t 01010000 -d now a; touch -r gone a; touch; touch --time=x a; touch ''; echo $?
