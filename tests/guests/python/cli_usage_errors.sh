python3 -Z; echo $?
python3 -c; echo $?
python3 --nope; echo $?
