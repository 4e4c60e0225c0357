python3 -Z; echo $?
python3 -c; echo $?
python3 --nope; echo $?
python3 -i -c 'print(1)'; echo $?
