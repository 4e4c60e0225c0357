foo() { return 3; }; foo || echo "rc=$?"; if foo; then :; else echo "else $?"; fi; ! foo; echo $?
