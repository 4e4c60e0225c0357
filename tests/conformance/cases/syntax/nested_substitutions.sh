exec 2>&1
echo "$(echo "nested $(echo "deep")")" `echo \`echo bq\`` "`echo \"q\"`"
