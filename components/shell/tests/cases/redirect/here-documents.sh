# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
cat <<A; cat <<"B"; cat <<-C
$((1+1)) $(echo x) `echo y` \$z ${HOME:+h} "q" 'r' \\
A
$((1+1)) \$z
B
	tab $((2))
		two
	C
END_OF_SCRIPT
)
bash -c "$script" 2>&1
