exec 2>&1
case x in a
