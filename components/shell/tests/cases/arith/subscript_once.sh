# A subscript, and what an expansion stands for, are evaluated once.
i=0 a=(9 9 9); ((a[i++] += 5)); echo "${a[@]} $i"
i=0 a=(9 9 9); ((a[i++]++)); echo "${a[@]} $i"
i=0 a=(9 9 9); ((++a[i++])); echo "${a[@]} $i"
i=0 a=(9 9 9); ((a[i++] = i)); echo "${a[@]} $i"
i=0 a=(9 9 9); ((a[i] += i = 2)); echo "${a[@]} $i"
x=1 y=-3; echo $((x++ + $y)) $x
x=1 y=-3 a=(1 2 3 4 5); echo $((a[x++ + $y])) $x
x=5 y=-3; echo $((x - $y)) $((x*$y)) $((x+$y)) $((-$y)) $(($y**2)) $((!$y))
x=1 y='x++'; echo $((x++ + $y + $y)) $x
a=(1 2 3) i=-1; echo $((a[$i])) $((a[i])) $((a[$i-1])); ((a[$i] += 5)); echo "${a[@]}"
declare -A m; k='it'\''s "$x" \ `'; ((m[$k]++)); ((m["$k"] += 5)); echo "${m[$k]}"
