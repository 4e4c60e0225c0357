cd "$(mktemp -d)" || exit 1
t() { env test "$@"; echo $?; }; t; t ''; t a; t -n ''; t -z ''; t a = a; t a != a; t 3 -lt 10; t 3 -gt 10; t -5 -eq -5; t 08 -eq 8; t a -eq 1 2>/dev/null; t ! a; t ! '' ; t a -a ''; t a -o ''; t '(' a ')'; env [ a = a ]; echo $?; env [ a = a 2>/dev/null; echo $?
