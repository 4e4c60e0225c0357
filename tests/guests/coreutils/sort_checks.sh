# Contradictory options, and the output of --debug.
cd "$(mktemp -d)"
exec 2>&1
try() { echo "+ $*"; "$@"; echo "status $?"; }
printf 'b 10x\na 9\n\tc 1e3\n d\n' > f
for options in '-k2n' '-n' '-k2,2' '-b -k1.2,1.3' '-rk1' '-g -k2' '-h -k2' '-M' '-f' '-u' '-s -k2' '-V' '-t: -k2'; do
    echo "== $options"
    sort --debug $options f 2>/dev/null
done
try sort -nh f
try sort -dn f
try sort -k1,1gn f
try sort -cC f
try sort -c -o out f
try sort -k x f
try sort -k 1,x f
try sort -k 0 f
try sort -k 1.0 f
try sort -S zz f
try sort --batch-size=0 f
try sort --parallel=0 f
try sort -o a -o b f
try sort --files0-from=f g
try sort --files0-from=/dev/null
printf 'f\0\0' | try sort --files0-from=-
try sort --sort=num f
try sort --check=quiet f
