cat <<-'X' | while read -r l; do echo "> $l"; done
	one $HOME
	two
	X
