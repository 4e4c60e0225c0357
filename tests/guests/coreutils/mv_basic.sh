cd "$(mktemp -d)" || exit 1
echo 1 > a; mv a b; ls; mkdir d; mv b d; ls d; mv d e; ls; mv -v e f; mv nope x; echo $?; echo 2 > a; echo 3 > b; mv -n a b; cat b; mv -f a b; cat b; mv b f; mv f/b .; ls
