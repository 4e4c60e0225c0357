x=1; echo {$x,2} {1..$x} ${x}{a,b}
