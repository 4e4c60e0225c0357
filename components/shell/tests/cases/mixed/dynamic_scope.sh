f() { local x=1; g() { x=2; }; g; echo $x; }; f; echo "[$x]"; h() { declare x=9; declare -g y=8; }; h; echo "[$x][$y]"
