# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
r() { local n=$1; ((n==0)) && return; r $((n-1)); }; r 400; echo deep ok; a=b b=c c=a; echo $((a)); echo $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
