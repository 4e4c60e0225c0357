exec 2>&1
function
