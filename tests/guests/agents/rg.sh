# rg. Each line runs on the same files; rg.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
rg TODO proj
rg -n TODO proj
rg -l TODO proj
rg -c TODO proj
rg -g '!*.py' TODO proj
rg --json TODO proj | grep -o '"type":"[a-z]*"'
rg -A1 TODO proj/src/main.py
rg -B1 -n TODO proj/src/main.py
rg -U 'x\) \{\n' proj
rg --files proj
rg -w the words.txt
rg -x 'foo=bar' words.txt
rg -o 'l[a-z]+' words.txt
rg -o -n '\w+=\w+' words.txt
rg -r '$2=$1' '(\w+)=(\w+)' words.txt
rg -F 'a.b' words.txt
rg -e the -e foo words.txt
rg -q the words.txt
rg nosuchpattern words.txt
rg -m 1 line o.txt
rg --count-matches e words.txt
rg --files-without-match TODO proj
rg --color always the words.txt
rg -p TODO proj
rg -0 -l TODO proj | od -c | head -2
rg --column e words.txt
rg hello bin.dat
rg --binary hello bin.dat
rg 'caf' latin1.txt
rg -P '(?<=foo)=' words.txt
rg --passthru the words.txt
rg -I TODO proj
rg -H the words.txt
rg -N the words.txt
rg -n the < words.txt
cat words.txt | rg the
rg the - < words.txt
rg '^$' -n words.txt
rg '\d{2,}' nums.txt
rg --include-zero -c nope o.txt
rg --field-match-separator '|' -n the words.txt
rg --no-filename TODO proj
rg -tpy -tjs -l . proj
rg --glob-case-insensitive -g '*.PY' TODO proj
rg --ignore-file d1/a.txt TODO proj
rg --crlf 'c$' crlf.txt
rg 'e$' crlf.txt
rg -r 'X' the words.txt
rg -or '$1' 'h(.)' words.txt
rg --replace '' o words.txt
rg --null-data one nonl
rg --path-separator '|' TODO proj
rg -E latin1 'é' latin1.txt
rg --type-add 'foo:*.txt' -tfoo the
cd proj; rg TODO
cd proj; rg --files
cd proj; rg -l TODO | sort
cd proj; rg TODO ./
rg -e -foo words.txt
rg -- -foo words.txt
rg --engine auto the words.txt
rg --auto-hybrid-regex the words.txt
rg --one-file-system the words.txt
rg --quiet the words.txt && echo y
rg --line-buffered the words.txt
rg --no-messages the nosuch
rg '[[:alpha:]]+=' words.txt
rg '\p{Lu}' words.txt
rg '' empty
rg three nonl | od -c
rg -P -o '(\w)\1' words.txt
rg -P -r '<$1>' '(\w)\1' words.txt
rg -Pc 'o(?=x)' words.txt
rg -Pw 'the' words.txt
rg -Pi 'THE' words.txt
rg -P -A1 'fox(?!y)' words.txt
rg -E utf-16le x words.txt
END
