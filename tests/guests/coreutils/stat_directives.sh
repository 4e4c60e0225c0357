# invalid directives, fractions of seconds, quoting
cd "$(mktemp -d)" || exit
exec 2>&1
touch -d '2001-02-03 04:05:06.123456789 UTC' f; touch "it's"
for d in '%-' '%9' 'x%.1Y %.3Y %.Y %.9Y %Y %.0Y' '%18.10Y|%-13.3Y|%013.3Y|' '%%%n' '%9%'; do stat -c "$d" f; echo $?; done
stat -f - < f; stat -c '%F %s' - < f; stat --printf='\q\n' f
for q in literal shell c escape locale shell-escape foo; do QUOTING_STYLE=$q stat -c %N f "it's"; done; QUOTING_STYLE=foo stat -c %n f
