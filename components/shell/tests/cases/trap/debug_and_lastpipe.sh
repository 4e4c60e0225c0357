# With lastpipe, DEBUG runs once for the last stage.
shopt -s lastpipe; trap 'echo DEBUG $BASH_COMMAND' DEBUG
echo a | read x; echo $x
f() { read y; echo "in $y"; }; echo b | f
echo c | { read z; echo $z; }
