# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
a=([5]=x [2]=y z); declare -p a; a+=(w); unset 'a[2]'; declare -p a; echo ${!a[@]} ${a[@]:3}; a[10]+=q; a[5]+=Q; declare -p a
END_OF_SCRIPT
)
bash -c "$script" 2>&1
