f() { local a=("$@"); echo ${#a[@]} "${a[1]}"; }; f x "y z" w
