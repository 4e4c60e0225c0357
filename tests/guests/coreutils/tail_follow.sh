cd "$(mktemp -d)" || exit 1
echo a > f; (tail -f f > got & p=$!; sleep 0.3; echo b >> f; sleep 0.3; kill $p); cat got; timeout 0.3 tail -f f; echo $?; seq 5 | tail -f -n 1
