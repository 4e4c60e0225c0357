echo a#b #comment
echo "#no" ${#x}
