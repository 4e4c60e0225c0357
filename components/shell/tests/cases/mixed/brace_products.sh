printf '%s\n' {a..c}{1..2} | paste -sd, ; echo {1..3}{,x}
