# Strings in the shell: cases, palindromes, anagrams, Caesar cipher, run lengths, Roman numerals, wrapping.
set -u
reverse() {
    local s=$1 out= i
    for ((i = ${#s} - 1; i >= 0; i--)); do out+=${s:i:1}; done
    REPLY=$out
}
palindrome() {
    local s=${1,,}
    s=${s//[^a-z0-9]/}
    reverse "$s"
    [[ $s == "$REPLY" ]]
}
for text in "A man, a plan, a canal: Panama" "not one" "été"; do
    palindrome "$text" && echo "yes: $text" || echo "no: $text"
done
caesar() {
    local text=$1 shift=$2 out= c code i
    for ((i = 0; i < ${#text}; i++)); do
        c=${text:i:1}
        case $c in
            [a-z]) printf -v code %d "'$c"; printf -v c "\\$(printf %03o $(((code - 97 + shift + 26) % 26 + 97)))" ;;
            [A-Z]) printf -v code %d "'$c"; printf -v c "\\$(printf %03o $(((code - 65 + shift + 26) % 26 + 65)))" ;;
        esac
        out+=$c
    done
    echo "$out"
}
secret=$(caesar "Attack at Dawn, xyz!" 3)
echo "$secret"
caesar "$secret" -3
runs() {
    local s=$1 out= c n=1 i
    for ((i = 0; i < ${#s}; i++)); do
        c=${s:i:1}
        if [[ $c == "${s:i+1:1}" ]]; then
            ((n++))
        else
            ((n > 1)) && out+=$n
            out+=$c n=1
        fi
    done
    echo "$out"
}
runs aaabccddddd
roman() {
    local n=$1 out= pair
    for pair in 1000:M 900:CM 500:D 400:CD 100:C 90:XC 50:L 40:XL 10:X 9:IX 5:V 4:IV 1:I; do
        while ((n >= ${pair%:*})); do
            out+=${pair#*:}
            ((n -= ${pair%:*}))
        done
    done
    printf '%s ' "$out"
}
for n in 1 4 9 14 40 90 400 1994 2026; do roman "$n"; done; echo
declare -A groups=()
for word in listen silent enlist google elgoog abc cab; do
    key=$(grep -o . <<< "$word" | sort | paste -sd'\0' -)
    groups[$key]+="$word "
done
for key in "${!groups[@]}"; do echo "${groups[$key]% }"; done | sort
x="the quick brown fox"
words=($x)
echo "${words[@]^}" "${x^^}" "${x^}" "${x//[aeiou]/*}" "${#x}" "${#words[@]}"
printf '%s\n' "${words[@]}" | sort | tr '\n' ' '; echo
IFS=-; echo "${words[*]}"; unset IFS
title=${x// /_}; echo "${title@Q} ${title:4:5} ${title: -3} ${title%%_*} ${title##*_}"
s='caf\u00e9 \U1F600 \x41 \101 \t|'; printf '%b\n' "$s"
e=$'h\u00e9llo'; echo "${#e} ${e:1:1} ${e^^} ${e/é/e}"
printf '%-8s|%8s|%.3s|%05d|%+d|%x|%o|%e\n' left right truncate 42 7 255 8 12345.678
