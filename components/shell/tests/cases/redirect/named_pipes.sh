d=$(mktemp -d); cd "$d" || exit 1; mkfifo p q
echo "-- a program in the background opens its own redirection"
cat < p & echo one > p; wait
cat p & echo two > p; wait
echo "-- so does a function, a list, a loop"
reader() { local line; while read -r line; do echo "got $line"; done; }
reader < p & printf '%s\n' a b > p; wait
{ read -r x; echo "x=$x"; } < p & echo three > p; wait
while read -r x; do echo "loop $x"; done < p & printf '1\n2\n' > p; wait
(cat) < p & echo four > p; wait
echo "-- names that are expanded"
n=p; f() { cat < "$1" & echo "$2" > "$1"; wait; }
cat < $n & echo five > $n; wait
f "$d/p" six
cat < "$(echo p)" & echo seven > p; wait
cat < ${unset:-p} & echo eight > p; wait
echo "-- stages of a pipeline"
cat < p | tr a-z A-Z & echo nine > p; wait
echo ten > p | cat p
echo eleven > p | cat < p
cat < p | cat & printf 'x %s\n' 12 > p; wait
echo left > p | echo right > q | cat p q
tee p < q | sed 's/^/through: /' > r & cat p & echo both > q; wait; cat r
echo "-- descriptors that stay open"
exec 3<> p; echo first >&3; echo second >&3; read -r -u 3 a; read -r -u 3 b; echo "$a $b"; exec 3>&-
{ sleep 0; echo from a group; } > p & exec 4< p; cat <&4; exec 4<&-; wait
(exec 5> p; echo x >&5; echo y >&5) & cat < p; wait
echo "-- end of file comes with the last writer"
cat p & exec 5> p 6> p; echo w1 >&5; exec 5>&-; echo w2 >&6; exec 6>&-; wait
echo "-- a writer without a reader"
(trap '' PIPE; exec 7> p; sleep 0; read -r go < q; echo lost >&7 || echo "status $?") 2> /dev/null & exec 8< p; exec 8<&-; echo go > q; wait
(exec 7> p; read -r go < q; echo lost >&7; echo not reached) & pid=$!; exec 8< p; exec 8<&-; echo go > q; wait $pid; echo "$?"
echo "-- test, and noclobber"
[ -p p ] && [[ -p q ]] && [ ! -f p ] && echo pipes
set -C; cat < p & echo over > p; wait; set +C
: <> p; echo $?
rm p q; [ -p p ] || echo gone
cd /; rm -r "$d"
