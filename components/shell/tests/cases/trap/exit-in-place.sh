# The EXIT trap runs where the shell ended: within the function, with its variables and the command's descriptors.
exec 2>&1
(f() { local v=local; trap 'echo "exit: $v $* ${FUNCNAME[0]} ${BASH_LINENO[*]}"' EXIT; exit 3; }; f a b); echo $?
(f() { local v=local; trap 'echo "normal: ${v-none}"' EXIT; }; f a b); echo $?
bash -c 'v=global; f() { local v=local; trap '\''echo "errexit: $v ${FUNCNAME[0]}"'\'' EXIT; set -e; false; }; f'; echo $?
bash -c 'f() { local v=local; trap '\''echo "unset: ${v-none}"'\'' EXIT; set -u; echo $none; }; f' 2> /dev/null; echo $?
bash -c 'f() { local v=local; trap '\''echo "signal: $v"'\'' EXIT; kill -TERM $$; echo no; }; f' 2> /dev/null; echo $?
(trap 'echo to-file; echo to-stderr >&2' EXIT; { exit 4; } > file 2>&1); echo "$? $(cat file)"
(f() { exit 5; }; trap 'echo of-function' EXIT; f > file); echo "$? $(cat file)"
(f() { exit 5; }; trap 'exit 6' EXIT; v=1 f > file); echo $?
echo 'v=1; exit 7' > lib
(trap 'echo "${BASH_SOURCE[*]##*/} $v"' EXIT; . ./lib) | sed 's/ [^ ]*\.sh / script /'
(trap 'false || echo "bye $?"; for i in 1 2; do break; done' EXIT
while true; do if ! { f() { exit 3; }; f; }; then echo no; fi; done); echo $?
(trap 'echo "$PWD/$x" | sed s,.*/,,' EXIT; x=1; f() { local x=2; g; }; g() { [ $x = 2 ] && exit; }; f); echo $?
