# Back-references take the longest match too; other cases and digits of other scripts; sets in lines.
cd "$(mktemp -d)" || exit 1
printf 'abab ababab\nxyzxyz\n\303\251\303\251\n' > f
grep -o '\(ab\|abab\)\1*' f; grep -oE '(a|ab)(c|bcd)?\1?' f; grep -oE '(.)\1|xyz' f
LC_ALL=C grep -c '^\(.\).\1.$' f
printf 's\305\277K\342\204\252i\304\261\316\243\317\202\n' > s
for p in s k i $'\317\203'; do grep -io "$p" s | tr '\n' ' '; grep -io "[x$p]" s | tr '\n' ' '; done; echo
printf '\331\243\302\262\302\275\n' | grep -o '[[:alnum:]]*'
printf '\331\243\302\262\302\275\n' | grep -o '\w*'
printf 'a\nb\n' | grep -c 'a[[:space:]]*$'; printf 'a\nb\n' | grep -c 'a\W'; printf 'a\nb\n' | grep -zc 'a\Wb'
printf 'a b\240c\n' | LC_ALL=C grep -o 'a\sb'; printf 'a\302\240b\n' | grep -c 'a\sb'
grep -e '\(x\).*\1' -e '\(b\) a.*\1' f
echo '^q **a +b' > o; grep -o '^^q' o; grep -o '\(**a\)' o; grep -o '\(\+b\)' o
printf 'b\n' > e; grep -E '(a|b)*{}' e 2>&1; grep -E 'b)' e; grep -E '*b' e 2>&1
