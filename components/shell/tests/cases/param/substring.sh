x=abcdefgh; echo ${x:2} ${x:2:3} ${x: -3} ${x: -3:2} ${x:1:-2} ${x:0:0}e ${x:20}e
