set -e; trap 'echo "exit $?"' EXIT; f() { false; echo unreachable; }; f; echo no
