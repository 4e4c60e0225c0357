cd "$(mktemp -d)" || exit 1
exec 2>&1
printf 'aAb' | xargs -d '\x 41' echo; printf 'aAb' | xargs -d '\x+0x41' echo; printf 'a\0b' | xargs -d '\x' echo; printf 'a\0b' | xargs -d '\x-0' echo; printf 'a1b' | xargs -d '\061' echo; printf 'a\\b' | xargs -d '\' echo
for d in ab '' '\q' '\x100' '\400' '\xzz' '\x4g' '\08' '\-1' '\ n'; do echo a | xargs -d "$d" echo; echo "rc=$?"; done
echo a b | xargs -E b -0; echo a b | xargs -E b -d ' '
