a=(one two three); echo "${a[@]/o/0}" "${a[@]#t}" "${a[@]%e}"
