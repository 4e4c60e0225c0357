a=($(echo a b c)); echo ${#a[@]}; a=($(printf 'x y\nz\n')); echo ${#a[@]}; b=(*.nope); echo ${#b[@]} $b
