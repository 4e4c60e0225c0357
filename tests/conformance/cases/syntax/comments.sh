exec 2>&1
echo a # comment
# only
echo b #c
echo 'a'#b
echo a#b
x=#; echo $x
