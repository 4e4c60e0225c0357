cd "$(mktemp -d)" || exit 1
basename /a/b/c.txt; basename /a/b/c.txt .txt; basename -a x/y z/w; basename -s .c a.c b.c; basename /; basename a/; dirname /a/b/c; dirname a; dirname /; dirname a/b/ x/y; basename; echo $?
