cd "$(mktemp -d)" || exit 1
mkdir d; touch b a .h d/x; ls; echo --; ls -A; echo --; ls -a; echo --; ls d a nope; echo $?
