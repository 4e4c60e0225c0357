echo {a,b{1,2},c} {{x,y},z} a{b,{c,d}}e
