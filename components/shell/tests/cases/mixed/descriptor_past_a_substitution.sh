exec 5>&1; x=$(echo to5 >&5; echo captured); echo "x=$x"; exec 5>&-
