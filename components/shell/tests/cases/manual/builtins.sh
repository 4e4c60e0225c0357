# Rare uses of builtins.
cat > s.sh <<'S'
let --; let -- 1; echo $?
a=(1 2); unset 'a[@]'; declare -p a
h() { local x=1; inner; echo "[$x]"; }; inner() { unset x; echo "<$x>"; }; shopt -s localvar_unset; h; shopt -u localvar_unset
declare -a s=(1); declare +a s; declare -A t; declare +A t; echo $?
f() { :; }; declare -fx f; declare -F f; declare -f f; declare -F; export -f; readonly -f f; readonly -f; declare -ft f; declare -pF f
export -fn f; export -f
hash -d; hash -t; hash -p; echo $?; set +h; hash; hash ls; echo $?; set -h
cd ''; OLDPWD=; cd -; echo $?; cd -@ /; echo $?
shopt -s cdable_vars; here=/; cd here; cd "$OLDPWD"; cd nowhere; echo $?
caller -x; suspend -x; echo $?
(exec -l bash -c 'echo $0')
printf '\x7fELF' > binary; chmod +x binary; ./binary; echo $?
mkdir bin; : > bin/plain; PATH=bin:$PATH; plain; echo $?
printf '%u\n' -99999999999999999999; printf 'a\x\n'; printf '\u|\n'; printf '%(abc)s\n' 0; echo $?
printf '%a %a %.2a %a\n' 1.5 0.75 3 0
read -n 0 x <<< abc; echo "$? [$x]"; read -u abc; echo $?
getopts a 1x -a; getopts a 1x; [ \( a b c ]; echo $?
trap x; echo $?
readonly ro=1; getopts a ro -a; echo $?
dirs +9; cd /; cd "$OLDPWD"; pushd - > /dev/null; pwd; popd > /dev/null
shopt -s gnu_errfmt; nosuch; shopt -u gnu_errfmt
set -o vi; set -o emacs; set -o | grep -E '^(vi|emacs)'
echo 'set -- new' > t; set -- old; . ./t x; echo $1; echo 'shift' > t; . ./t y z; echo $1
a=(''); set -- "${a[@]:+set}"; echo $#; a=(); set -- "${a[@]:+set}"; echo $#
help nosuch; echo $?; help -x; echo $?; cd --help > /dev/null; echo $?; help -s cd type
S
TERM= bash s.sh 2>&1
cat > v.sh <<'S'
let x=(1+2) y=( 2 * x ); echo $x $y; eval a=(1 "2 3") b+=(z); declare -p a b
echo $((08+1))
echo $((1 + 2#3 + 1))
echo $((
1 +))
set -x; declare d='a b' e=; readonly r='q w'; declare -A h=([k k]="v v"); declare -a i=([1+1]=x); PS4='\s> '; cd /; set +x
S
bash v.sh 2>&1
PS4='> ' bash -xc ':' 2>&1
# Variables that change by themselves are not listed.
for list in set declare 'declare -p'; do
    bash -c "$list" | grep -E '^(declare -[-a-z]* )?(S?RANDOM|SECONDS|BASHPID|LINENO|EPOCH|BASH_COMMAND|BASH_SUBSHELL|COMP_W|HISTCMD|DIRSTACK|FUNCNAME)' |
        grep -v SECONDS
done
diff <(bash -c 'set' | grep -v -E '^(PPID|_)=') <(bash -c 'set' | grep -v -E '^(PPID|_)=') && echo same; dirs -- | wc -l
