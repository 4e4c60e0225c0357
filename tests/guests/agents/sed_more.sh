# sed, compared with the real programs. Each line runs on the same files; sed_more.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
sed -n '$!{h;d};H;x;p' nonl
sed '1!G;h;$!d' nonl
sed -n '1!G;h;$p' nonl
sed '$!N;$!D' o.txt
sed '$!N;s/\n/ /' o.txt | head -3
sed 'N;P;D' nonl
sed '$!N;/^\(.*\)\n\1$/!P;D' <(printf 'a\na\nb\nb\nc\n')
sed -n '2{p;q}' o.txt
sed '2q' o.txt
sed '2q5' o.txt
sed '2Q' o.txt
sed '2Q5' o.txt
sed -n '2,+2p' o.txt
sed -n '3,~4p' o.txt
sed -n '0~4p' o.txt | head -2
sed -n '1~3p' o.txt | head -2
sed -n '2~0p' o.txt
sed '0,/line/s//X/' o.txt | head -2
sed '1,/line/s//X/' o.txt | head -3
sed -n '/5/,/7/p' o.txt | head -3
sed -n '/5/,3p' o.txt | head -3
sed -n '$p' o.txt nonl
sed -s -n '$p' o.txt nonl
sed -n '$=' o.txt
sed = nonl
sed -n '/two/=' nonl
sed 's/o/0/2' words.txt | head -2
sed 's/o/0/2g' words.txt | head -2
sed 's/o/0/gp' -n words.txt
sed -n 's/line \(1.\)/\1/p' o.txt | head -2
sed -E 's/(\w+) (\w+)/\2 \1/' words.txt | head -1
sed 's/[^ ]*/\u&/g' words.txt | head -1
sed 's/.*/\U&/;s/QUICK/\L&\E/' words.txt | head -1
sed -E 's/(^|_)([a-z])/\U\2/g' <<< snake_case_name
sed 's/\(.\)\(.*\)/\u\1\L\2/' <<< hELLO
sed 's/x/a\nb/' <<< axb
sed 's/x/a\
b/' <<< axb
sed 's/x/\t|\x41|\o101|\d65|\cA/' <<< axb | od -c
sed 's/a/&&/;s/b/\&/' <<< ab
sed 's,/usr/local,/opt,' words.txt | tail -2
sed 's|a\|b|X|g' <<< 'ab|'
sed 's/a\|b/X/g' <<< 'ab|'
sed -E 's/a|b/X/g' <<< 'ab|'
sed 's/a+/X/' <<< 'aa+'
sed 's/a\+/X/' <<< 'aa+'
sed -E 's/a{2}/X/' <<< 'aaa'
sed 's/a\{2\}/X/' <<< 'aaa'
sed 's/^/> /' nonl
sed 's/$/ </' nonl
sed 's/a*/x/g' <<< baac
sed 's/b*$/x/' <<< abb
sed 's/\bfoo\b/X/;s/\</</' words.txt | sed -n 6p
sed 's/THE/x/I' words.txt | head -1
sed '/^$/d' words.txt | wc -l
sed '/^\s*#/d;/^$/d' conf.ini
sed -n '/\[main\]/,/^\[/p' conf.ini
sed '/port/c port = 9' conf.ini
sed '/port/a\' conf.ini
sed '/port/a new line' conf.ini | sed -n 4p
sed '/port/i\  indented' conf.ini | sed -n 3p
sed '2i\
line' nonl
sed '2,3c\changed' nonl
sed '$!d;a end' nonl
sed '1r nonl' nonl
sed '1r nosuch' nonl
sed 'R o.txt' nonl
sed '1w out.txt' nonl; cat out.txt
sed -n '/o/w out.txt' nonl; cat out.txt
sed 's/o/0/w out.txt' nonl; cat out.txt
sed 's/o/0/w /dev/stdout' nonl
sed -n 'w /dev/stderr' nonl
sed 'W out.txt' nonl; cat out.txt
sed -i 's/one/ONE/' nonl; cat nonl
sed -i.bak 's/one/ONE/' nonl; cat nonl nonl.bak
sed -i'bak_*' 's/one/ONE/' nonl; ls bak*
sed -i -e 's/one/ONE/' -e '2d' nonl; cat nonl
sed -i nosuch
sed -i 's/a/b/' nosuch
sed -i 's/a/b/' d1
sed --in-place=.orig s/o/0/ nonl; ls nonl*
sed -i -n p nonl; cat nonl
sed -ni p nonl; cat nonl
sed -in p nonl; ls
sed -i -s '1d' nonl o.txt; head -1 nonl o.txt
sed -n '#n
sed '#n
sed -e '#n' -e p nonl
sed 'y/abc/xyz/' <<< aabbcc
sed 'y/a\/b/x\/y/' <<< a/b
sed 'y/ab/x/' <<< ab
sed 'y/\n/,/' <<< ab
sed 'N;y/\n/,/' nonl
sed 's/.*/echo &/e' <<< hi
sed '1e echo hi' nonl
sed --sandbox 's/a/b/e' nonl
sed --posix 's/a\+/b/' <<< aa+
sed 'l' latin1.txt
sed -n 'l 10' words.txt | head -3
sed -l 10 -n l nonl
sed -n l crlf.txt
sed -z 's/^two/X/mg' nonl
sed 'N;s/^t/X/M' nonl
sed -u 1q nonl
sed -E -n '/^(.)(.).*\2\1/p' <<< abba
sed 'b end; s/a/b/; :end' <<< a
sed ':a s/x/y/;ta' <<< xxx
sed ':a;s/^\(\s*\)\s/\1_/;ta' <<< '   x'
sed -e ':a' -e 's/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/;ta' <<< 1234567
sed 's/a/b/;T;s/b/c/' <<< a
sed 'b nolabel' nonl
sed 's/a/b' nonl
sed 's/a/b/x' nonl
sed 's/a/b/gg' nonl
sed 's/a/b/2 3' nonl
sed 's/a/b/0' nonl
sed 's/\(a/b/' nonl
sed 's/a\)/b/' nonl
sed 's/a/\1/' nonl
sed -E 's/(a/b/' nonl
sed -E 's/a{/b/' nonl
sed -E 's/*a/b/' <<< '*a'
sed 's/*a/b/' <<< '*a'
sed 's/[a/b/' nonl
sed 's/[[:foo:]]/b/' nonl
sed k nonl
sed '1,p' nonl
sed ',2p' nonl
sed '2,1p' nonl
sed '1,2' nonl
sed '{p' nonl
sed 'p}' nonl
sed '1!!p' nonl
sed '3,5!d' o.txt
sed '$d' nonl
sed '1d;$d' o.txt | wc -l
sed 'a' nonl
sed 'a\' nonl
sed 'r' nonl
sed 'w' nonl
sed ':' nonl
sed 'y/a/' nonl
sed '/x' nonl
sed 'p x' nonl
sed '1~p' nonl
sed '+1p' nonl
sed '0p' nonl
sed '0,5p' nonl
sed 'F' nonl
sed 'F' < nonl
sed 'z' nonl
sed 'v' nonl
sed -f nosuch
sed -f <(printf 's/one/1/\n# c\n2d\n') nonl
sed -f <(printf '#!/bin/sed -f\ns/one/1/\n') nonl
sed -e 's/one/1/' -f <(echo 2d) nonl
sed -e 'a\' -e 'text' nonl | head -2
sed -e 'i\' -e '  text' nonl | head -2
sed --expression=p -n nonl
sed p nosuch
sed -s 1d nonl o.txt | head -2
sed 1d nonl o.txt | head -2
sed '1~2d' nonl
sed '/one/,/three/{/two/d}' nonl
sed '/one/{n;d}' nonl
sed -n '/one/{n;p}' nonl
sed '/two/{x;p;x}' nonl
sed '/two/{g;}' nonl
sed '2{h;d};${G}' nonl
sed -n 'H;${x;s/\n/ /g;p}' nonl
sed 's/\s\+/ /g;s/^ //;s/ $//' <<< '  a   b  '
sed 's/[[:space:]]*$//' <<< 'a  '
sed 's/.\{3\}/&\n/g' <<< abcdefgh
sed 's/\(^\|[^0-9.]\)\([0-9]*\)\([0-9]\{3\}\)/\1\2,\3/g' <<< 1234567
sed "s/'/\"/g" <<< "it's"
sed 's/é/e/g' <<< été
sed 's/./X/g' latin1.txt
sed 'y/é/e/' <<< été
sed 's/\x26/and/' <<< 'a & b'
sed 's/a/\x26/' <<< 'a'
sed 's/\./\\./g' <<< a.b
sed 's/a\/b/c/' <<< a/b
sed 's/[/]/-/' <<< a/b
sed 's/[]]/x/;s/[^]]/y/' <<< ']a'
sed 's/[\n]/x/' <<< 'an\'
sed 's/[\t]/x/' <<< $'a\tb'
sed 's/\n/x/' nonl
sed -E 's/(a|(b))+/[\1\2]/' <<< abab
sed -E 's/(a*)*/x/' <<< baac
sed -E 's/()/x/' <<< ab
sed -E 's/a?b??/x/' <<< ab
sed 's/\w\W/x/g;s/\S\s/y/g' <<< 'a b c'
sed "s/\`a/x/;s/b\'/y/" <<< ab
sed '/a/,/b/s/^/>/' <<< $'x\na\nc\nb\ny'
sed '/a/,+1d' <<< $'x\na\nc\nb\ny'
sed '2,4{=;p}' -n o.txt
sed '5,$d' o.txt
sed -n '2p;4p' o.txt
sed -n '2p
4p' o.txt
sed '2 d;3 s/line/x/' nonl o.txt | head -3
sed 's/a/b/ ; s/c/d/' <<< ac
sed 's/a/b/ # comment' <<< a
sed '/x/ s/x/y/' <<< x
sed '\,usr,d' words.txt | tail -1
sed '\%usr%s%usr%X%' words.txt | tail -2
sed -n '/start/,/end/{//!p}' <<< $'start\na\nend\nb'
sed '/^$/N;/\n$/D' <<< $'a\n\n\n\nb'
sed -n '${p;=}' nonl
sed G nonl
sed -n '$!p' nonl
sed '$!n;d' nonl
sed '1{N;N;s/\n/+/g}' nonl
sed -e 1{ -e p -e } nonl
sed '1{p};2{p}' nonl
sed '1{p;}' nonl
sed '1{s/o/0/}' nonl
sed 'sXoX0X' nonl
sed 's/o/0/;;;p' nonl | head -2
sed c nonl
sed '1c' nonl
sed 'i\' nonl
sed "1i\\\\tx" nonl
sed '1i\\tx' nonl
sed '1a\tx' nonl
sed '1a \tx' nonl
sed '1a x\ty' nonl
sed '1a x\\y' nonl
sed 's/one/[&]/;s/two/\[&\]/' nonl
END
