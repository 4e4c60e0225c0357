# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
declare -i n=5; n+=3; echo $n; n="2*3"; echo $n; n=abc; echo $n; declare -i a=(1 2+3 x); echo ${a[@]}; a+=(4*4); echo ${a[@]}
END_OF_SCRIPT
)
bash -c "$script" 2>&1
