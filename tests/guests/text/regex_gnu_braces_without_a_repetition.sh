# Braces that repeat nothing, or contain no count.
for e in 'a{}' '{}' '{a' '(\()({a)' '{1}' '^{1}' 'a{1x}' 'a{1' 'a{,2}'; do echo 'a{} {1} a{,2} ({a' | sed -E "s/$e/X/" 2>&1; echo "$e $?"; done
for e in 'a\{\}' 'a\{2' '\{1\}'; do echo 'a{} a' | sed "s/$e/X/" 2>&1; echo "$e $?"; done
for e in 'a{}' '{}' '^{}' '({})' 'x|{}' 'a{1' 'a{1,x}' '{1}'; do echo 'a{} {1} a{1,x}' | gawk "{ sub(/$e/, \"X\") } 1" 2>&1; echo "$e $?"; done
