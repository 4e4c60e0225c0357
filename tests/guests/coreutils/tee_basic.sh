cd "$(mktemp -d)" || exit 1
echo hi | tee a b; cat a b; echo more | tee -a a; cat a; echo x | tee /dev/null; seq 3 | tee c | tail -1; cat c; echo y | tee nodir/f; echo $?
