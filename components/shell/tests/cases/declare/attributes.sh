# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
x=5; unset x; echo ${x-unset}; readonly R=1; R=2; echo $?; unset R; echo $?; declare -r Q=3; (Q=4; echo no); declare -x E=env; env | grep ^E=; export -n E; env | grep ^E= || echo gone; export -p | grep -c PATH; declare -l L=ABC; declare -u U=abc; echo $L $U; declare -p L U; declare -c C=abc; echo $C; typeset -i t=3+4; echo $t
END_OF_SCRIPT
)
bash -c "$script" 2>&1
