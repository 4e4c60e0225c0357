if [[ "x y" =~ ^x[[:space:]]y$ ]]; then echo m; fi; v="1.2.3"; IFS=. read -r a b c <<< "$v"; echo $a-$b-$c; [[ $v =~ ^[0-9]+(\.[0-9]+)*$ ]] && echo ver
