# A local reference of its own name refers to the global variable.
cat > s.sh <<'S'
x=g; f() { local -n x=x; echo $x; x=new; }; f; echo $x
out() { local -n out=$1; out=5; }; out out; echo "[$out]"
nested() { local x=local; inner x; echo $x; }; inner() { local -n x=$1; x=changed; echo "in $x"; }; nested; echo $x
again() { declare -n r=$1; deeper r; }; deeper() { declare -n r=$1; r=7; }; again v; echo "[$v$r]"
S
bash s.sh 2>&1
arr=(a b); f() { local -n arr=$1; arr+=(c); arr[0]=z; echo "${#arr[@]} ${arr[*]}"; (arr=(sub); echo $arr); }; f arr 2> /dev/null; declare -p arr
declare -A m=([a]=1); f() { local -n m=$1; m[b]=2; unset 'm[a]'; }; f m 2> /dev/null; declare -p m
