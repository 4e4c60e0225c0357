# The restricted shell.
r() { bash -r -c "$1" bash 2>&1; }
r 'echo $-; shopt restricted_shell; shopt -u restricted_shell; shopt -q restricted_shell; echo $?'
r 'cd /; echo $?'
r '/bin/true; echo $?'
r 'echo a > f; echo $?; echo b >&2; echo c 2>&1; : <> f; : &> f; : < /dev/null; echo ok'
r 'PATH=x; echo not reached'
r 'unset PATH; declare SHELL=1; export ENV=2; echo $?'
r 'exec true; echo $?; exec; echo $?'
r '. /etc/x; echo $?; . ./x'
r 'hash -p /a b; enable -f x y; enable -d y; command -p true; echo $?'
r 'set +o restricted; (cd /)'
set -r; cd /; echo $? $-; bash -c 'cd /; pwd'
ls
