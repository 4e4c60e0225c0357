exec 2>&1
echo ${x:-d} ${x:=e} $x ${x:+f} ${y+z} ${y-w}; (echo ${q:?}) ; echo $?; (echo ${q?msg here}); echo $?
