exec 2>&1
echo a \
b; echo "a \
b"; echo 'a \
b'; ec\
ho joined; echo $\
HOME | wc -c
