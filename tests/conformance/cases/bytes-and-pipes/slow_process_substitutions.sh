exec 2>&1
{ sleep 0.1; echo slow; } > >(cat); wait; cat <(sleep 0.1; echo a) <(echo b); while read l; do echo "got $l"; done < <(for i in 1 2 3; do sleep 0.02; echo $i; done); diff <(sleep 0.05; echo x) <(echo x) && echo same; exec 3< <(echo p; sleep 0.05; echo q); read -u3 a; read -u3 b; echo $a $b; echo $(cat <(cat <(echo nested)))
