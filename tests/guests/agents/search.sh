# rg and grep -P, compared with the real programs. Each line runs on the same files; search.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
rg -n TODO proj/src/main.py
rg -i todo proj
rg --count-matches todo proj -i
rg -o 'TODO \w+' proj
rg -v line o.txt n.txt
rg -e foo -e bar words.txt
rg -f <(echo foo) words.txt
rg -t py def proj
rg -T py TODO proj
rg -tjs todo proj
rg -t nope x proj
rg --type-list | head -3
rg --type-add 'foo:*.md' -tfoo TODO proj
rg -g '*.py' TODO proj
rg -g '*.{py,js}' -i todo proj
rg --iglob '*.PY' TODO proj
rg --hidden TODO proj
rg -u TODO proj
rg -uu TODO proj
rg -uuu TODO proj
rg --no-ignore TODO proj
rg --files --hidden proj
rg --files -g '*.py' proj
rg --files-with-matches TODO proj
rg -A1 'line 5' o.txt
rg -B1 'line 5' o.txt
rg -C1 'line [58]' o.txt
rg -C1 -n 'line [5]' o.txt n.txt
rg -A1 TODO proj
rg --heading TODO proj
rg --no-heading -n TODO proj
rg -N TODO proj
rg -H foo words.txt
rg --column TODO proj
rg --vimgrep TODO proj
rg -b foo words.txt
rg -r 'X$0' foo words.txt
rg -r '$2-$1' '(f)(oo)' words.txt
rg -r '${a}x' '(?P<a>fo)o' words.txt
rg -or '$1' 'line (\d+)' o.txt | head -2
rg --json TODO proj/src/main.py | sed 's/"elapsed[^}]*}/E/;s/"\(human\|nanos\|secs\)":[^,}]*//g'
rg --json foo words.txt | head -2
rg -U 'one\ntwo' nonl
rg -U --multiline-dotall 'one.*three' nonl
rg -U '(?s)one.*three' nonl
rg 'one\ntwo' nonl
rg -P '(\w)\1' words.txt
rg '(?<=foo)=' words.txt
rg '(' words.txt
rg '[' words.txt
rg 'a{2' words.txt
rg '*a' words.txt
rg foo nosuch
rg -q foo words.txt
rg -q nosuch words.txt
rg -s FOO words.txt
rg -S FOO words.txt
rg -S foo words.txt
rg
rg foo < words.txt
cat words.txt | rg foo
cat words.txt | rg foo -
rg --sort path -l TODO proj
rg --sortr path -l TODO proj
rg --color=always foo words.txt
rg --color=always -n foo words.txt
rg --colors 'match:fg:blue' --color=always foo words.txt
rg -a hello bin.dat
rg -c hello bin.dat
rg --passthru foo words.txt
rg --trim indented words.txt
rg -M 10 quick words.txt
rg -M 10 --max-columns-preview quick words.txt
rg --max-depth 1 TODO proj
rg -d 1 TODO proj
rg --max-filesize 10 TODO proj
rg --no-messages foo nosuch
rg --null -c TODO proj | od -c | head -1
rg --path-separator '\' TODO proj
rg --context-separator == -C0 'line [57]$' o.txt
rg --no-context-separator -A0 'line [57]$' o.txt
rg --field-match-separator '|' -n foo words.txt
rg --line-number --with-filename --no-heading foo words.txt
rg --crlf 'a$' crlf.txt
rg 'a$' crlf.txt
rg -E latin1 'café' latin1.txt
rg caf latin1.txt
rg 'é' latin1.txt
rg --no-unicode '\w+' -o latin1.txt
rg '\bfoo\b' words.txt
rg '^\s+' words.txt
rg '\d{4}' data.csv
rg '\x66oo' words.txt
rg '(?i)THE' words.txt
rg -e '-5' nums.txt
rg -- -5 nums.txt
rg foo words.txt conf.ini
rg foo .
rg foo ./
rg TODO proj/
rg TODO ./proj | sort
rg --debug foo words.txt 2>/dev/null
rg --ignore-file <(echo '*.py') TODO proj
echo '*.md' > proj/.ignore; rg TODO proj
echo '*.md' > proj/.rgignore; rg --no-ignore-dot TODO proj
rg --no-ignore-vcs TODO proj
rg --no-require-git TODO proj
rg same d1
rg -cv same d1
rg --include-zero -c TODO proj
rg --count --no-filename TODO proj
rg -l --null-data one nonl
rg --engine auto '(?<=f)oo' words.txt
rg --auto-hybrid-regex '(?<=f)oo' words.txt
rg -j 1 TODO proj
rg --threads 2 TODO proj
rg --mmap foo words.txt
rg --line-buffered foo words.txt
rg --block-buffered foo words.txt
rg --no-config foo words.txt
rg --binary hello .
rg --one-file-system TODO proj
rg --stop-on-nonmatch line o.txt | head -2
rg --no-line-number foo words.txt
rg -nH foo words.txt
rg -ocn o words.txt
rg -lc TODO proj
rg --quiet --files proj
rg -c nosuch proj
rg --files nosuch
rg --type-not md TODO proj
rg -tpy -tmd TODO proj
rg -tall TODO proj
rg -g 'src/**' TODO proj
rg -g '/src' TODO proj
rg -g 'proj/src/*' TODO
rg TODO -g '!proj/src' .
rg -F -x 'one' nonl
rg -vc one nonl
rg -vn one nonl
rg -nw two nonl o.txt
rg '' nonl
rg -c '' nonl
rg -e '' -c o.txt
rg -m0 line o.txt
rg -A x foo words.txt
rg --max-count=abc foo words.txt
rg --sort nope foo
rg --color nope foo words.txt
rg --encoding nope foo words.txt
rg -g '[' foo words.txt
rg --hyperlink-format default foo words.txt
rg --no-pcre2-unicode foo words.txt
rg --multiline --count 'one\ntwo' nonl
rg -U -o 'o\nt' nonl
rg -U -v 'one\ntwo' nonl
rg -UA1 'line 4\nline 5' o.txt
rg --replace '' foo words.txt
rg -r '$' foo words.txt
rg -r '$$x' foo words.txt
rg -r '$1x' '(f)oo' words.txt
rg -r '${1}x' '(f)oo' words.txt
rg -r x --passthru foo words.txt | tail -5
grep -P '(?<=foo)=' words.txt
grep -oP 'key: \K\w+' words.txt
grep -oP '(?<=name,)\w+' data.csv
grep -P '\d+' words.txt data.csv
grep -oP '"\w+":\s*\K\d+' lines.json
grep -P '^\s*$' -c words.txt
grep -P '(?i)THE' words.txt
grep -oP '\b\w{5}\b' words.txt
grep -P 'a\tb|jumps over\tthe' words.txt
grep -P '(' words.txt
grep -P '[' words.txt
grep -P '\' words.txt
grep -P 'a{2,1}' words.txt
grep -P '(?P<n>o).*(?P=n)' words.txt
grep -P '(\w)\1' words.txt
grep -P '\x{e9}' words.txt
grep -P '\p{Lu}' words.txt
grep -P 'caf' latin1.txt
grep -aP 'caf' latin1.txt
grep -P '^.{20,}$' words.txt
grep -Pv 'o' words.txt
grep -Pc 'o' words.txt
grep -Pn 'foo' words.txt
grep -Pw 'foo' words.txt
grep -Px 'foo=bar' words.txt
grep -Pz 'one\ntwo' nonl | tr '\0' X
grep -Pzo '(?s)one.*t' nonl | tr '\0' X
grep -P -e foo -e bar words.txt
grep -P $'foo\nbar' words.txt
grep -oP '\d+(?=,)' data.csv
grep -oP '(?<!\d)\d{1,2}(?!\d)' data.csv
grep -oP '^[^,]+' data.csv
grep -oP "[^,]+$" data.csv
grep -oP '\Q.\E' words.txt
grep -oP 'f(?#comment)oo' words.txt
grep -oP '(?x) f o o # c' words.txt
grep -oP '\R' crlf.txt | wc -l
grep -cP '\r$' crlf.txt
grep -oP '\h+' words.txt | head -2 | od -c
grep -oP '[[:alpha:]]+' words.txt | head -2
grep -oP '\A\w' words.txt | head -2
grep -oP '\w\Z' words.txt | head -2
grep -oP '\N{U+41}' words.txt
grep -oP '(?<year>\d{4})' <<< 2024
grep -oP 'a++b' <<< aab
grep -oP '(?>a+)b' <<< aab
grep -oP '.' <<< é
grep -P 'x*' -o <<< axxb
rg --stop-on-nonmatch -m 3 line n.txt
rg --no-ignore --ignore TODO proj
END
