# The last variable of `read` gets a delimiter at the end only if more than one field is left.
for line in ":a b:" ":a b :" "a b: " ": a b : " "a:b:" "a:b::" "a b c:" "a b c :" "a:b c:" ":a:b:" "::" ": :" "a :: b" "a b : :" ' x\:' 'a\ b: '; do
    for ifs in ": " ":" " "; do
        printf '%s|%s: ' "$line" "$ifs"
        IFS=$ifs read x y <<< "$line"; printf '(%s)(%s) ' "$x" "$y"
        IFS=$ifs read x <<< "$line"; printf '(%s) ' "$x"
        IFS=$ifs read -r x y z <<< "$line"; printf '(%s)(%s)(%s) ' "$x" "$y" "$z"
        IFS=$ifs read -a x <<< "$line"; echo "${x[@]@Q}"
    done
done
