printf '%-10s|%5.1f|%03d|%s\n' name 3.14159 7 end; printf '%s %s\n' a b c; printf '%5s%%\n' 50; printf '\x41\u00e9\n'; printf '%d\n' 0x10 010; printf '%i %u\n' -1 1
