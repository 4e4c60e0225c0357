exec 2>&1
for i in {1..3} {a..e..2} {05..08} x{,y,z}w {3..1}; do printf '%s ' $i; done; echo; echo {a,b}{1,2} a{b}c {1..} '{a,b}' "{a,b}" {a,{b,c}d}
