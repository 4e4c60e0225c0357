# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
./nofile; echo $?; /tmp; echo $?; touch x; ./x; echo $?; chmod +x x; ./x; echo $?; printf '#!/nope\n' > y; chmod +x y; ./y; echo $?; "" ; echo $?; cd ''; echo $?; echo > /nonexist/f; echo $?; cat < nofile; echo $?; echo > /; echo $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
