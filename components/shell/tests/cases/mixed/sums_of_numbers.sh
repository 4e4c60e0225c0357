sum=0; for n in 1 2 3; do sum=$((sum + n)); done; echo $sum; seq 1 5 | { t=0; while read n; do t=$((t+n)); done; echo $t; }; echo $(($(echo 2)**3))
