cd "$(mktemp -d)" || exit 1
touch a; tar -cf x.tar -T nope 2>&1; echo "rc=$?"; tar -cf x.tar -X nope a 2>&1; echo "rc=$?"; echo a > l; tar -cf x.tar -T l; tar -tf x.tar
