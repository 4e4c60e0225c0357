[[ a == a &&
   b == b ]] && echo yes
if [[ -n x
   && -n y ]]; then echo y2; fi
