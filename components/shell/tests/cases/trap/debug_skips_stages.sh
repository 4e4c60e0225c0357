# With extdebug, DEBUG skips a stage of a pipeline, which then reads and writes nothing.
shopt -s extdebug; trap '[[ $BASH_COMMAND != *skip* ]]' DEBUG
f() { echo "f $1"; }
f a | cat
f skip | cat
f a | cat - skip
f skip | wc -c
f skip & wait
echo end
