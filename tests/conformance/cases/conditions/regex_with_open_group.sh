exec 2>&1
[[ abc =~ ( ]]
echo x
