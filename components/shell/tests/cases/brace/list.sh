echo a{b,c,d}e {a,b}{1,2} x{,y} {a} {} a{,}b
