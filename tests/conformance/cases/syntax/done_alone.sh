exec 2>&1
done
