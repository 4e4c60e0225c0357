# The input that remains after -m; inputs that are outputs; the order of --include and --exclude.
cd "$(mktemp -d)" || exit 1
printf '%s\n' a b c d e f > f
{ grep -m1 b; cat; } < f; echo -
{ grep -m2 -A1 '[bd]'; cat; } < f; echo -
{ grep -c -m1 c; cat; } < f; echo -
{ grep -m9 z; cat; } < f; echo -
while read -r line; do echo "outer $line"; grep -m1 '[ce]'; done < f; echo -
mkdir -p x/dir; echo aaa > x/a; echo bbb > x/b; echo ddd > x/dir/d
try() { grep -r "$@" . x | sort; echo -; }
try --exclude=R --include='a*' --exclude='a*'
try --include='a*' --exclude='a*'
try --exclude='a*' --include='a*'
try --include=b --include=a
try --exclude=b --include=a
try --exclude='*' --include=a
grep --exclude=a . x/a x/b; grep --include=a . x/b; grep --exclude='x/*' . x/a
echo aa > out
grep a out >> out; echo $?; grep a - < out >> out; echo $?; grep a < out >> out; echo $?; grep -m1 a out >> out; echo $?; grep -c a < out >> out; echo $?; cat out
