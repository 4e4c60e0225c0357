x=$(printf '3\n1\n2\n' | sort | head -2 | tr '\n' ,); echo $x; n=$(ls / | wc -l); [ $n -gt 3 ] && echo many
