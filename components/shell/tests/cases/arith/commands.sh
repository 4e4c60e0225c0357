# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
(( 1 )) && echo y; (( 0 )) || echo n; ((x=5)); echo $x; ((x>3 && x<10)) && echo in; ((a=1,b=2)); echo $a$b; ((x++)); ((++x)); ((x-=2)); echo $x; echo $((x<<2)) $((x>>1)) $((x^3)) $((x**2)); echo $((0x1F + 017 + 2#11)); echo $(( x > 3 ? 10 : 20 )); s="3 + 4"; echo $((s)) $((s*2)) $(($s*2)); y=x; echo $((y)); ((arr[1]=5)); echo ${arr[1]}; echo $((arr[1]*2)); echo $((1e3)) 
END_OF_SCRIPT
)
bash -c "$script" 2>&1
