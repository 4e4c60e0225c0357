exec 2>&1
fi
