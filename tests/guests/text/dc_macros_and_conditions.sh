cd "$(mktemp -d)" || exit 1
d() { dc -e "$1" 2>&1; echo "[$?]"; }
d '[abc] Z p'
d '65 P'
d '65 a p'
d '1 2 c z p'
d '_5 p'
d '1 sa [la p 1 + d sa 4 >b] sb lb x'
d '[la1+dsa*pla10>y]sy0sa1lyx'
d '3 5 [p]sa <a'
d '1 n 2 n'
d '5 3 2 | p'
