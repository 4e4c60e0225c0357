# The zone of %(…)T is that of an exported TZ: a rule, a name, or letters without a meaning.
unset TZ
TZ=CET-1; printf '%(%Z %H)T\n' 0
export TZ; printf '%(%Z %z %H)T\n' 0
TZ=CET-1CEST,M3.5.0,M10.5.0/3 printf '%(%F %T %Z)T\n' 1700000000 1720000000
TZ=Europe/Berlin printf '%(%F %T %Z)T\n' 1700000000 1720000000
TZ=:America/St_Johns printf '%(%T %z)T\n' 0
for TZ in EST5 '<+0330>-3:30' NoSuch/Zone '' garbage; do printf '%(%Z %z)T\n' 0; done
f() { local TZ=CET-1; printf '%(%Z)T\n' 0; local -x TZ=EST5; printf '%(%Z)T\n' 0; }
unset TZ
f
export TZ
TZ=Asia/Kolkata
prompt='\D{%Z}'; echo "${prompt@P}"
# Flags and widths.
printf '%(%5Y|%_5d|%-5e|%05a|%12T|%012F|%^A|%#a|%#p|%#Z)T\n' 5
printf '%(%Ey|%Od|%Ed|%OY|%E%y|%+4Y|%5%|%q)T\n' 5
printf '%(%z|%8z|%-z|%_z|%-8z)T\n' 0
# Arguments that are not a time, and times outside this calendar.
printf '[%(%s)T]' '' ' 7' 0x10; echo
printf '[%(%F (%H) x)T]\n' 0
printf '%(%F)d|\n' 0 2>/dev/null
printf '%(%Y|%C|%y|%F)T\n' -70000000000 -62200000000 253500000000
printf '%(%F)T\n' 99999999999999999999 2>/dev/null
printf '<%(%c %c %c %c %c %c)T>\n' 0
# The present and the start.
printf -v now '%(%s)T' -1; printf -v again '%(%s)T'; printf -v start '%(%s)T' -2
echo $((start <= now && now <= again && now > 1700000000))
