exec 2>&1
echo $\
HOME "$\
HOME" ${\
HOME}
