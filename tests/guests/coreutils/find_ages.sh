cd "$(mktemp -d)" || exit 1
for h in 1 11 13 25 37 49; do touch -d "$h hours ago" f$h; done; touch -d '90 seconds ago' s90; touch -d '30 seconds ago' s30
for e in '-mtime 0' '-mtime 1' '-mtime -1' '-mtime +1' '-mtime -0.5' '-mtime +0.5' '-mtime 0.5' '-mtime -1.5' '-mmin -1' '-mmin +1' '-mmin 1' '-mmin 2' '-mmin -1.2' '-mmin +1.2' '-mmin -800' '-mmin +2200'; do echo "[$e]" $(find . -type f $e | sort); done
