x='$(echo hi)'; eval "echo $x"; y='a;b'; eval echo "'$y'"; eval 'a=1' 'b=2'; echo $a$b
