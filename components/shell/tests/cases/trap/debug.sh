trap 'echo "D:$BASH_COMMAND"' DEBUG; echo a; x=1; trap - DEBUG; echo b
