exec 2>&1
x=1; x=2 eval 'echo $x'; echo $x; x=3 f=4; echo $x; f() { echo $x; }; x=5 f; echo $x; x=6 export y=$x; echo $y $x; a=b env | grep ^a=; IFS=: read p q <<< 1:2; echo $p $q "${IFS@Q}"; x=7 : ; echo $x; set -o posix; x=8 : ; echo $x; x=9 f; echo $x
