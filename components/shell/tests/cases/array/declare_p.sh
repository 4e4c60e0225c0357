a=(1 "two three" $'n\nl'); declare -p a; declare -A h=([k]="v w"); declare -p h; x='q"r$s'; declare -p x; declare -i n=3; declare -rx R=1; declare -p n R
