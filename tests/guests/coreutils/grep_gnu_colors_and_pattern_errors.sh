# GREP_COLORS, and operators with nothing to repeat, and the errors of -P.
cd "$(mktemp -d)" || exit 1
printf 'a\nb\nc\nab\nabc\n' > f
try() { grep --color=always "$@" f 2>&1 | cat -v; }
GREP_COLOR='7;31' try b
GREP_COLORS='mt=1;32:fn=34:ln=33:se=35:sl=1:cx=2' try -Hn -C1 b
GREP_COLORS='ms=1;32:mc=4:ne:rv:sl=1:cx=2:bn=36' try -vnb -C1 c
GREP_COLORS='mt=no' try b
GREP_COLORS='sl=1:xx=3:ms=7' try b
GREP_COLORS='ms=' try b
GREP_COLORS='sl=44' try -o b
GREP_COLORS='sl=44:cx=45' try -c b
for e in 'a|+b' '(+b)' '^*b' '^+b' 'a|*b' '{1}a' 'a||b' '()' 'b{4294967297}' 'b{1,4294967298}' 'b{32768}' 'b{1a}' 'b{,}'; do echo ab | grep -E "$e" 2>&1; echo "$e $?"; done
for e in '\{1\}' 'b\{1' 'b\{99999\}' 'x\{1a\}'; do echo 'a{1}' | grep "$e" 2>&1; echo "$e $?"; done
for e in '(.)\2' '(a' 'a)' '[a' '*a' '(?<n>a)\k<m>' '\p{Foo}' '[b-a]' 'a{2,1}' '(?z)' '\x{110000}' '[[:foo:]]' '\'; do echo aa | grep -P "$e" 2>&1; echo "$e $?"; done
echo aa | grep -Pw '(.)\2'; echo $?
for e in 'a{}' 'a{ }' ' {}' 'a\{}'; do echo 'a{} {}' | grep -oE "$e" 2>&1; echo "$e $?"; done
