echo 12345 > f; exec 3<> f; read -n 2 x <&3; echo -n XX >&3; exec 3>&-; cat f; echo $x
