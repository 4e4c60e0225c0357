cd "$(mktemp -d)" || exit 1
seq 3; seq 2 4; seq 1 2 7; seq -s, 5; seq -w 8 10; seq 5 -2 1; seq 0 0.5 1; seq -f '%03g' 2; seq 1 0; seq x; echo $?
