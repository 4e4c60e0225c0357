declare -i n; n=2+3; echo $n; n+=4; echo $n; n=abc; echo $n
