cd "$(mktemp -d)" || exit 1
touch a b; rm a; ls; rm nope; echo $?; rm -f nope; echo $?; mkdir -p d/e; touch d/f; rm d; echo $?; rm -r d; ls; mkdir d; rm -d d; touch -- -x; rm -- -x; rm -v b; mkdir -p x/y; rm -rf x; ls; ln -s . l; rm l; ls; rm; echo $?; rm -f; echo $?
