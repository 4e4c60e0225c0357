echo a && # comment
echo b | # another
cat
