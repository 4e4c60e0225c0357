exec 2>&1
if true; then
fi
