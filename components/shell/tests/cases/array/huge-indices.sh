# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
a[9223372036854775807]=x; echo ${!a[@]}; a[1000000000]=y; echo ${#a[@]}; echo {1..3..0} {3..1..-1} {1..2..5}; for i in {1..100000}; do :; done; echo $i
END_OF_SCRIPT
)
bash -c "$script" 2>&1
