exec 2>&1
echo $(if); echo after
