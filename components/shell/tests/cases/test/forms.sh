# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
if ((1)); then echo a; elif ((0)); then echo b; else echo c; fi; test 1 -eq 1 -a 2 -eq 2 && echo and; [ a = a -o b = c ] && echo or; [ ! -e /nonexist ] && echo not; [ -z "" ] && [ -n x ]; echo $?; test; echo $?; [ a; echo $?; [ 1 -eq x ]; echo $?; [ -f /etc/passwd -a -r /etc/passwd ] && echo file; [ /etc/passwd -nt /nonexist ] && echo nt; [ -v HOME ] && echo v; [ -o errexit ] || echo opt; [ -t 0 ] || echo notty
END_OF_SCRIPT
)
bash -c "$script" 2>&1
