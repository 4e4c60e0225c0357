exec 2>&1
cat <<A <<B
one
A
two $((1+1)) `echo q` ${x:-"d"} \$ \\ \a
B
cat <<-'E'
	tab $x
	E
cat <<"X Y"
$z
X Y
