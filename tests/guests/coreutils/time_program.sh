# time as a program: formats, status, output file, errors
cd "$(mktemp -d)"
t() { "$@" 2>&1; echo "-> $?"; }
t env time -f '%C|%x|%%|%n|%q|\t|\n|\q' sh -c 'exit 3'
t env time -f '%x' sh -c 'kill -9 $$'; t env time -q -f '%x' false; t env time -f '' true
env time -p true 2>&1 | sed 's/[0-9.]*$//'; env time true 2>&1 | sed 's/[0-9:.]*\(user\|system\|elapsed\)/\1/g;s/[0-9]*%.*//' | head -1
t env time -o o -f 'st %x' false; cat o; t env time -a -o o -f 'st %x' true; cat o; t env time -o p -f 'st %x' true; cat p
export TIME='%x env'; t env time true; unset TIME
env time 2>/dev/null; echo $?; env time -z 2>/dev/null; echo $?; env time -f %x ./nope 2>/dev/null; echo $?
echo in | env time -f '%x' cat
