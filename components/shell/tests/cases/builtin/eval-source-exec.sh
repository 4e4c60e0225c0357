# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
eval 'echo $((1+1))'; eval "x='a b'"; echo "$x"; . /dev/stdin <<< 'echo sourced $1' ; echo 'echo args $@; return 3' > s.sh; . ./s.sh p q; echo $?; bash -c 'echo $0 $1' n a; sh -c 'exit 5'; echo $?; exec 9>&1; echo fd9 >&9; (exec echo replaced; echo no); command echo cmd; builtin echo blt; true & wait $!; echo $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
