# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
exec 3<&0 4>&1; echo x >&4; exec 4>&-; echo y >&4; echo $?; echo z 2>&1 1>/dev/null; { echo o; echo e >&2; } >f1 2>&1; cat f1; echo a &> f2; echo b &>> f2; cat f2; cat 0<f2; echo c >| f2; set -C; echo d > f2; echo $?; echo d >| f2; cat f2; echo q >&f3; cat f3; : 2>&9; echo $?; echo n > "a b"; v="a b"; cat < $v; echo t > $v; echo u > nofile/*; cat < f1 < f2
END_OF_SCRIPT
)
bash -c "$script" 2>&1
