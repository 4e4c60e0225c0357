# The lines and the text of the parts of an arithmetic loop.
trap 'echo "DEBUG $LINENO $BASH_COMMAND"' DEBUG
for ((i=0;
  i<1; i++)); do
  :
done
for ((;i<3;)) do
  ((i++))
done
