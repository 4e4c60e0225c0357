exec 2>&1
exec 3>f; echo hi >&3; exec 3>&-; cat f; exec {fd}<f; read -u $fd l; echo $l $((fd>=10)); exec {fd}<&-; echo err >&2 2>/dev/null; { echo o; echo e >&2; } > both 2>&1; cat both; echo x &> all; cat all; echo y &>> all; cat all; echo z >| all; cat < all; : > all; wc -c < all; cat <<< "here $((1+1))"
