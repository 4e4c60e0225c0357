for x in 1 2
do
  echo $x
done
for y in a \
  b
do echo $y; done
