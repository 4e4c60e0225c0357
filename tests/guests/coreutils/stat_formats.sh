cd "$(mktemp -d)" || exit 1
printf hello > f; chmod 640 f; touch -d '2001-02-03 04:05:06.789' f; stat -c '%a %A %s %F %n %h' f; stat -c '%y|%Y|%.3Y' f | cut -d'|' -f1,2; stat --printf '%s\t%n\n' f; stat -c '%05s|%-6s|%6s|' f; mkdir d; stat -c '%F %A' d; ln -s f l; stat -c '%N %F' l; stat -Lc %F l; : > e; stat -c %F e; stat nope; echo $?; stat -c '%f' f
