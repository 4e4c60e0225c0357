echo "{a,b}" '{a,b}' \{a,b\} {a,"b c"} {$HOME,x}y
