# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
for ((i=0,j=10;i<j;i+=3,j--)); do echo $i $j; done; for i; do echo never; done; for x in a b; do for y in 1 2; do [ $y = 2 ] && continue 2; echo $x$y; done; done; i=0; while :; do ((++i>3)) && break; done; echo $i; until [ $i -le 0 ]; do ((i--)); done; echo $i
END_OF_SCRIPT
)
bash -c "$script" 2>&1
