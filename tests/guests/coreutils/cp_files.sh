cd "$(mktemp -d)" || exit 1
echo hi > a; cp a b; cat b; mkdir d; cp a b d; ls d; cp -v a c; cp a d/new; cat d/new; cp nope x; echo $?; cp a; echo $?; cp d e; echo $?
