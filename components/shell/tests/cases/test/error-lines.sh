# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
[[ 1 -eq a+ ]]; echo $?; [[ x -lt 3 ]]; echo $?; [ 1 -lt ]; echo $?; [ -z ]; echo $?; [ = ]; echo $?; [ a = ]; echo $?; test -f; echo $?; [ ! ]; echo $?; [ -f a b ]; echo $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
