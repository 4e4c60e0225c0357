# Arithmetic: primes, gcd, bases, fixed point, leap years, day of week, sorting, matrices.
set -eu
primes() {
    local -a sieve=()
    local i j
    for ((i = 2; i <= $1; i++)); do
        [[ -n ${sieve[i]:-} ]] && continue
        printf '%d ' "$i"
        for ((j = i * i; j <= $1; j += i)); do sieve[j]=1; done
    done
    echo
}
primes 60
gcd() { local a=$1 b=$2; while ((b)); do ((t = a % b, a = b, b = t)) || true; done; echo "$a"; }
echo "$(gcd 1071 462) $(gcd 17 5) $(gcd 100 75)"
for base in 2 8 16 36; do
    n=3735928559 out=
    digits=0123456789abcdefghijklmnopqrstuvwxyz
    while ((n > 0)); do
        out=${digits:n % base:1}$out
        n=$((n / base))
    done
    echo "$base: $out = $(($base#$out))"
done
leap() { (($1 % 4 == 0 && ($1 % 100 != 0 || $1 % 400 == 0))); }
for y in 1900 2000 2023 2024; do leap "$y" && echo "$y leap" || echo "$y common"; done
weekday() {
    local y=$1 m=$((10#$2)) d=$((10#$3))
    local -a t=(0 3 2 5 0 3 5 1 4 6 2 4) names=(Sun Mon Tue Wed Thu Fri Sat)
    ((m < 3)) && y=$((y - 1))
    echo "${names[(y + y / 4 - y / 100 + y / 400 + t[m - 1] + d) % 7]}"
}
for day in 1970-01-01 2000-02-29 2026-11-21; do
    IFS=- read -r y m d <<< "$day"
    echo "$day $(weekday "$y" "$m" "$d")"
done
TZ=UTC printf '%(%Y-%m-%d %H:%M:%S %j %u)T\n' 0 86399 1700000000
quick() {
    local -n list=$1
    local lo=${2:-0} hi=${3:-$((${#list[@]} - 1))}
    ((lo >= hi)) && return 0
    local pivot=${list[(lo + hi) / 2]} i=$lo j=$hi swap
    while ((i <= j)); do
        while ((list[i] < pivot)); do ((++i)); done
        while ((list[j] > pivot)); do ((--j)); done
        if ((i <= j)); then
            swap=${list[i]} list[i]=${list[j]} list[j]=$swap
            ((++i))
            ((--j)) || true
        fi
    done
    quick "$1" "$lo" "$j"
    quick "$1" "$i" "$hi"
}
numbers=(5 -3 99 0 42 7 7 -88 1000 12)
quick numbers
echo "${numbers[*]}"
declare -A m=()
size=3
for ((i = 0; i < size; i++)); do for ((j = 0; j < size; j++)); do m[$i,$j]=$((i * size + j)); done; done
for ((i = 0; i < size; i++)); do
    row=
    for ((j = 0; j < size; j++)); do
        sum=0
        for ((k = 0; k < size; k++)); do sum=$((sum + m[$i,$k] * m[$k,$j])); done
        row+=$(printf '%4d' "$sum")
    done
    echo "$row"
done
average() { local sum=0 n; for n; do sum=$((sum + n)); done; printf '%d.%02d\n' $((sum / $#)) $((sum % $# * 100 / $#)); }
average 1 2 3 5
fib() { local a=0 b=1 i; for ((i = 0; i < $1; i++)); do printf '%d ' "$a"; ((b += a, a = b - a)); done; echo; }
fib 30
echo $((7 / 2)) $((-7 / 2)) $((-7 % 3)) $((2 ** 62)) $((1 << 40)) $((0x7f & ~0xf)) $((5 > 3 ? 10 : 20))
