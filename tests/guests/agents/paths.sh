# readlink, realpath, touch, truncate, install, rm, rmdir, basename, dirname. Each line runs on the same files; paths.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
. /mnt/cases/more
while IFS= read -r line; do try "$line"; done <<'END'
touch -d '2024-01-02 03:04:05' f; stat -c %y f
touch -t 202401020304.05 f; stat -c %y f
touch -t 2401020304 f; stat -c %y f
touch -t 01020304 f; stat -c %y f | cut -c5-
touch -t 1 f
touch -r old f; stat -c %y f
touch -c newf; ls newf
touch -a -d @0 f; stat -c '%x' f
touch -m -d @0 f; stat -c '%y' f
touch -d '2024-01-01 UTC' f; stat -c %Y f
touch -r old -d '+1 day' f; stat -c %y f
touch
touch nodir/f
touch -h -d @0 lnk; stat -c %Y lnk
touch --time=atime -d @5 f; stat -c %X f
touch --time=foo f
touch -r nope f
touch -t 202413010000 f
touch ''
touch -d '2024-01-02T03:04:05.678Z' f; stat -c %y f
touch f1 f2 f3; ls f?
touch d1; echo $?
readlink lnk
readlink s10
readlink nope
readlink -v nope
readlink -v s10
readlink -f lnk | xargs basename
readlink -f nope | xargs basename
readlink -f nope/x; echo $?
readlink -e nope
readlink -ev nope
readlink -e lnk | xargs basename
readlink -e dang
readlink -ev dang
readlink -m nope/x/../y | xargs basename
readlink -m /a/b/../c
readlink -m /a//b/./c/
readlink -f /
readlink -n lnk
readlink -n lnk d1/link
readlink -z lnk | od -c
readlink
readlink lnk dang
readlink -f s10/
readlink -f s10/x
readlink -e d1/../s10 | xargs basename
readlink -m ''
readlink ''
readlink -f ''
readlink -f dang | xargs basename
readlink -q nope
readlink -s nope
realpath s10 | xargs basename
realpath nope | xargs basename
realpath -e nope
realpath nope/x
realpath -m nope/x | xargs basename
realpath --relative-to=d1 s10
realpath --relative-to=. d1/sub
realpath --relative-to=d1/sub d2/a.txt
realpath --relative-base=. s10 /usr
realpath --relative-to=d1 --relative-base=. s10 /usr
realpath --relative-to=nope s10
realpath -e --relative-to=nope s10
realpath -m --relative-to=nope s10
realpath -s lnk | xargs basename
realpath -s d1/../lnk | xargs basename
realpath -L d1/../lnk | xargs basename
realpath -P lnk | xargs basename
realpath -z / | od -c
realpath
realpath -q nope/x
realpath dang | xargs basename
realpath -e dang
realpath --relative-to=d1/a.txt s10
realpath ''
realpath s10/
realpath d1/. | xargs basename
realpath / // ///
realpath --relative-to=/a/b /a/c -m
realpath --strip s10 lnk | xargs -n1 basename
install -D -m 644 s10 a/b/c; stat -c '%a %n' a/b/c a/b
install -m 755 s10 x; stat -c %a x
install s10 d1; stat -c %a d1/s10
install -d p/q/r; stat -c %a p/q/r
install -d -m 700 p; stat -c %a p
install -t d1 s10 s100; ls d1
install -D -t new/dir s10; ls new/dir
install -v s10 x
install -vD s10 n/m/x
install -m u=rwx,g=rx s10 x; stat -c %a x
install -m 9 s10 x
install nope x
install s10
install
install d1 x
install -b s10 s100; ls s100*
install s10 nodir/x
install s10 nodir/
install -T s10 d1
install -d -v a/b
install s10 s100 x
truncate -s 5 s10; stat -c %s s10
truncate -s +5 s10; stat -c %s s10
truncate -s -5 s10; stat -c %s s10
truncate -s '<5' s10; stat -c %s s10
truncate -s '>50' s10; stat -c %s s10
truncate -s /4 s10; stat -c %s s10
END
