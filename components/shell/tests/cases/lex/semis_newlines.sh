if true
then
echo a

elif false; then echo b
else

echo c
fi
while false
do echo; done
{
echo grp
}
