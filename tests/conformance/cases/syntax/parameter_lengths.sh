exec 2>&1
echo ${#}; echo ${#x}; echo ${##}; echo ${#-}; echo ${-#}
