printf 'a\nb\nc\n' > f; exec 4< f; read x <&4; read y <&4; echo $x $y; exec 4<&-
