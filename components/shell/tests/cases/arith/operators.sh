# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
echo $((5/2)) $((5%3)) $((-5/2)) $((-5%3)) $((2**10)) $((1<<4)) $((0xff)) $((010)) $((2#101)) $((36#z)) $((5>3?1:2)) $((1,2,3)) $((~5)) $((!0)) $((5&3|4^1)) $((i=5,i++ + ++i)) $i $((a=b=3)) $((i+=2)) $((1&&0||1)) $((64#_)) $(( (1+2)*3 )); let x=1+2 y=x*2; echo $x $y; ((x>2)) && echo gt; echo $((1/0)); echo after
END_OF_SCRIPT
)
bash -c "$script" 2>&1
