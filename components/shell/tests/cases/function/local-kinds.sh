# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
f() { local x=1 y; echo $x ${y-unset}; local -a arr=(1 2); local -A m=([k]=v); echo ${arr[@]} ${m[k]}; local -r ro=5; ro=6; echo no; }; f; echo $?; echo ${x-gone}
END_OF_SCRIPT
)
bash -c "$script" 2>&1
