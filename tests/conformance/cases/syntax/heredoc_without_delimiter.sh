exec 2>&1
cat << 
