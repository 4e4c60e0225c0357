# Errors and their effects: messages of the shell, statuses, traps, strict modes.
cd "$(mktemp -d)" || exit
run() {
    echo "--- $1"
    bash -c "$1" 2>&1
    echo "status $?"
}
run 'foo'
run './none'
run 'touch plain; ./plain'
run 'cd /nonexistent'
run 'echo ${missing:?is not set}; echo unreached'
run 'set -u; echo "$nothing"; echo unreached'
run 'set -e; false; echo unreached'
run 'set -e; if false; then :; fi; false || true; ! true; echo reached'
run 'set -o pipefail; false | true; echo $?'
run 'readonly r=1; r=2; echo "not on this line"
echo next'
run 'x=1
if [ $x -eq 1 ]; then
echo "open'
run 'for i in 1; do echo $i; done; done'
run 'echo $((1 / 0)); echo same line
echo next'
run 'declare -A m; m[]=1
echo next'
run '[ 1 -eq one ]'
run 'trap "echo bye \$?" EXIT; exit 4'
run 'trap "echo caught \$LINENO" ERR
:
false
echo after'
run 'f() { return 300; }; f'
run 'kill -TERM $$; echo unreached'
run 'exec nothing-here'
run 'echo hi > /nonexistent/file; echo $?'
run 'type nothing-here; command -v nothing-here; hash nothing-here'
run 'printf "%d\n" 12abc; echo $?'
run 'local x=1'
run 'shift 3; echo $?; shift x'
run 'unset PATH; ls'
run '(exit 7); echo $?; { exit 8; }'
run 'source ./nowhere.sh; echo $?'
run 'let "x = 5 +"; echo $?'
run 'a=(1 2); echo ${a[5]-none} ${a[-9]}'
