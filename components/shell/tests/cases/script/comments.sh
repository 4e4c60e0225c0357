# full line
echo a # trailing
echo b#not # real
#last
