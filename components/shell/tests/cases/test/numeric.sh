[ 3 -eq 3 ] && [ 3 -ne 4 ] && [ 3 -lt 4 ] && [ 3 -le 3 ] && [ 4 -gt 3 ] && [ 4 -ge 4 ] && echo all; [ -5 -lt 0 ] && echo neg
