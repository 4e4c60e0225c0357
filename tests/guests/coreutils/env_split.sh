# env: -S before the command only, messages, -v, --argv0 and similar options.
cd "$(mktemp -d)"
exec 2>&1
try() { echo "+ $*"; "$@"; echo "status $?"; }
export X=value
try env printf '%s-%s\n' -Sfoo bar
try env -S 'printf %s\n a "b c" ${X}'
try env '-Sprintf <%s>\n a\_b "c\_d"'
try env -S "'a"
try env -S '$X'
try env -S '${1X}'
try env -S 'a\q'
try env -S '"\c"'
try env -i -S 'A=1 env'
try env -i -vS'B=2 env' C=3
try env -i -u NOTHING -v printf '%s\n' x
try env 'printf x'
