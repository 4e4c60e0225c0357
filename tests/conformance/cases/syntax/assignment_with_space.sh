exec 2>&1
x =3; echo $?
