{ sh -v -c 'echo a
echo b'; } 2>&1
