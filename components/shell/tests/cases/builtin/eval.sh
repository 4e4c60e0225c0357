eval 'x=1; echo $x'; y='echo "a b"'; eval $y; eval "$y"; eval; echo $?; eval 'false'; echo $?; v=name; eval "$v=val"; echo $name; eval 'for i in 1 2; do
echo $i
done'
