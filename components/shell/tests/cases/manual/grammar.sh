# Odd function names, menus, loops over variables that cannot be set.
cat > s.sh <<'S'
function 'a b' { :; }; echo $?
function a$b { :; }; echo $?
readonly i; for i in 1 2; do echo never; done; echo $?
if : ; then exec 5>kept; fi 2>/dev/null; echo five >&5; cat kept
while read -r line; do exec 6>six; break; done <<< x; echo six >&6; cat six
{ exec 5>&-; } 2>/dev/null; echo gone 2>/dev/null >&5 || echo closed
trap 'echo ERR $?' ERR; { :; } > /nowhere/x; if :; then :; fi < /nowhere; trap - ERR
set -e; { :; } > /nowhere/x; echo never
S
bash s.sh 2>&1; echo $?
COLUMNS=40 PS3='> '
select x in alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu; do echo "[$x]"; break; done 2>&1 <<< 12
select x in one two; do break; done 2>&1 <<< 1
COLUMNS=20; select x in é ü longer x; do break; done 2>&1 <<< 1
{ time -- : ; } 2>&1 | sed 's/[0-9.]*$//'
