readonly C=1; C=2 2>/dev/null; echo "not reached on this line"
echo "next $C"
