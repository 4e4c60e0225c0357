# The value of a list as one text, and the builtins that read it as a list.
said=$(mktemp); exec 2>"$said"; sep() { echo "-- $*"; echo "-- $*" >&2; }
declare -a d='(1 "2 3")'; declare -p d
declare -a e; declare e='(1 2)'; declare -p e
declare -a f; f='(1 2)'; declare -p f
declare -A g; declare g='([a]=1)' ; declare -p g
declare -a h='(1 2'; declare -p h
v='(7 8)'; declare -a i=$v; declare -p i
export k='(1 2)'; declare -p k; readonly -a m='(1 2)'; declare -p m
export -a n=5; declare -p n
l() { local -a x='(a b)'; local "y=(c)"; echo "${x[1]} $y"; }; l
t=(4*3)/2; echo "$t"; declare -i s=(4*3)/2; echo $s; let u=(5+3)/2 w=(4+7); echo $u $w
declare -u up; echo ${up:=low}; declare -i nr; echo ${nr:=4+3}
sep names
(readonly 'a[5]=3'; export 'a[1]'; echo $?) 2>&1 | sed 's/^.*line [0-9]*: //'
sep subscripts
(declare -a c=([]=abc [*]=last [-65]=neg ok); declare -p c
declare -a b; b[*]=3) 2>&1 | sed 's/^.*line [0-9]*: //'
sep keys
(declare -A q; q=([one]=1 two three); declare -p q; declare -A z=(k v w); declare -p z; z=("" x); echo no) 2>&1 | sed 's/^.*line [0-9]*: //'
sep listing
declare -arl V3; echo "${V3@a}|${V3[@]@a}"
(set -o posix; readonly -a ro=(1); readonly -p | grep ro=)
sep functions
fn() { :; }
(declare -a -f fn; echo $?; declare -f fn=3; echo $?; declare -f -p nofn; echo $?; unset -f fn; echo $?) 2>&1 | sed 's/^.*line [0-9]*: //'
sep stack
cd /; pushd /usr >/dev/null; dirs -v +1; dirs -l -v +0; dirs +0; complete -W "a b" foo; complete -r foo; complete -r foo 2>/dev/null; echo $?
(IFS=; set -- '' ''; A=('' ''); echo "<${*:-X}>" ${*:-Y} "${A[*]:-Z}" ${A[*]:-W}; x=${*:-V}; echo $x; y="${*:-V}"; echo $y)
(declare -A foo=([a]=1); readonly foo; declare foo+=([b]=2); echo no) 2>&1 | sed 's/^.*line [0-9]*: //'
sep appended
declare -ai x=(1 2 3 4 5); x=(1 2 [2]+=7 [3]=1+3 9); declare -p x; x+=([3]+=9 [9]=2*2 5+5); declare -p x; y=(a b); y+=([0]+=z [1]=q); declare -p y; declare -Ai mx=([a]=1); mx+=([a]+=4 [b]=2*3); declare -p mx
declare -Au u=([k]=a); u+=([k]+=b [l]+=c); declare -p u; declare -au v=(a b); v+=([0]+=x [5]+=y); declare -p v; declare -A nx; nx+=([p]+=1); nx+=([p]+=1); declare -p nx
sed 's/^.*line [0-9]*: //' "$said"; rm "$said"
