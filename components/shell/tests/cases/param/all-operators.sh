# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
x=hello; echo ${x^} ${x^^} ${x,,} ${x~} ${x~~} ${x^^[el]} ${x:1:3} ${x: -3:2} ${x/l/L} ${x//l/L} ${x/#h/H} ${x/%o/O} ${x#*l} ${x##*l} ${x%l*} ${x%%l*} ${#x} ${x@U} ${x@u} ${x@L} ${x@Q} ${x@A} ${x@a}
END_OF_SCRIPT
)
bash -c "$script" 2>&1
