cat > s.sh <<'SCRIPT'
# Slices that begin or end outside: of every kind of array, and of variables that are not arrays.
arr=(a b c d); sp=([2]=x [7]=y [9]=z); declare -A map=([k]=1 [q]=2 [w]=3); set -- p q r; x=abc; n=2; none=()
for e in '@:1:-1' '*:9:-1' '@:3:-1' '@:4:-1' '@: -9:-1' 'arr[@]:1:-1' 'arr[@]:4:-1' 'arr[@]:5:-1' 'arr[@]:3:-1' 'arr[@]: -9:-1' 'none[@]:0:-1' 'none[@]:1:-1' 'nn[@]:0:-1' 'nn[@]:3:-1' 'sp[@]:8:-1' 'sp[@]:10:-1' 'sp[@]:20:-1' 'x[@]:1:-1' 'x[@]: -2:2' 'x[@]:1' 'x[@]:0:1' 'x[@]:9' 'x[@]:9:-1' 'x[*]:1:1' 'x[0]:1:1' 'x:1:-1' 'x:9:-1' 'x:1:-5' 'nn:1:-1' 'nn:0:-1' 'arr:1:-1' 'map[@]:0' 'map[@]:1' 'map[@]:2' 'map[@]:0:1' 'map[@]:1:1' 'map[@]:3' 'map[@]:4' 'map[@]:9' 'map[@]: -1' 'map[@]: -1:1' 'map[@]: -2:1' 'map[@]: -3:1' 'map[@]: -4:1' 'map[@]: -1:2' 'map[@]:1:-1' 'map[*]:1:1' 'sp[@]: -3' 'sp[@]: -3:1' 'sp[@]: -1' 'sp[@]: -9' 'sp[@]: -10' 'sp[@]: -11' 'sp[@]:3:1' 'sp[@]:0:2' 'arr[@]: -2:1' '@: -1' '@: -2:1' '@:0' '@:0:1' '@: -3' '@: -4' '@: -5'; do
 ( eval "printf '<%s>' \"\${$e}\""; echo "  $e" ); done 2>&1 | sed "s/^.*line [0-9]*: //"
SCRIPT
bash s.sh
