trap 'echo usr' USR1
f() { kill -USR1 $$; echo in f; }
set -T
trap 'echo "debug $BASH_COMMAND"' DEBUG
:
f
trap - DEBUG
