# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
echo $((1 +* 2)); echo $((a b)); echo $((08)); echo $((1#2)); echo $((2#3)); echo $(( 1 ? 2 )); let 'x=+'; echo $?; ((x=)); echo $?; echo $((x y))
END_OF_SCRIPT
)
bash -c "$script" 2>&1
