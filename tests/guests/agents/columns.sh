# cut, paste, join, comm, fold, unexpand, uniq, tr, tsort. Each line runs on the same files; columns.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
. /mnt/cases/more
while IFS= read -r line; do try "$line"; done <<'END'
unexpand tabs | cat -A
unexpand -a tabs | cat -A
unexpand -t 4 tabs | cat -A
unexpand -t 2,6 tabs | cat -A
unexpand --first-only -t 3 tabs | cat -A
unexpand -t x tabs
unexpand -t 0 tabs
unexpand nope
unexpand d1
unexpand -a -t 4 <<< '        a       b   c  d' | cat -A
unexpand -4 tabs | cat -A
unexpand -t 3,2 tabs
unexpand -t 4,/8 <<< '                    x' | cat -A
unexpand -t 4,+8 <<< '                    x' | cat -A
printf '  \t  x\n' | unexpand | cat -A
printf 'a  b\bc       d\n' | unexpand -a | cat -A
unexpand -a words.txt | cat -A
tsort ts
tsort tsloop
echo a b c | tsort
tsort nope
tsort ts tsloop
echo 'a a' | tsort
printf 'a b\nc d\nb a\nd c\n' | tsort
printf '3 8\n3 10\n5 11\n7 8\n7 11\n8 9\n11 2\n11 9\n11 10\n' | tsort
printf 'main parse_options\nmain tail_file\nmain tail_forever\ntail_file pretty_name\ntail_file write_header\ntail_file tail\ntail_forever recheck\ntail_forever pretty_name\ntail_forever write_header\ntail_forever dump_remainder\ntail tail_lines\ntail tail_bytes\ntail_lines start_lines\ntail_lines dump_remainder\ntail_lines file_lines\ntail_lines pipe_lines\ntail_bytes xlseek\ntail_bytes start_bytes\ntail_bytes dump_remainder\ntail_bytes pipe_bytes\nfile_lines dump_remainder\nrecheck pretty_name\n' | tsort
tsort empty
tsort -x
tsort - < ts
join j1 j2
join -a1 j1 j2
join -a1 -a2 -e X -o 0,1.2,2.2 j1 j2
join -v1 j1 j2
join -v2 j1 j2
join -t: -1 1 -2 1 colon colon
join -j 2 j1 j2
join -o auto -e - -a1 -a2 j1 j2
join -i j1 j2
join j1 nope
join j1
join j1 j2 ts
join -1 0 j1 j2
join -1 x j1 j2
join -o 1.x j1 j2
join -o 3.1 j1 j2
join --header j1 j2
join -t ab j1 j2
join -t '' j1 j2
join --check-order <(printf 'b 1\na 2\n') j2
printf 'b 1\na 2\n' > u; join u j2
printf 'b 1\na 2\n' > u; join u u
printf 'b 1\na 2\n' > u; join --nocheck-order u j2
join -a 3 j1 j2
join - j2 < j1
join -t, data.csv data.csv
join -t $'\t' data.tsv data.tsv
join -z j1 j2 | tr '\0' Z
join -o 1.1 2.2 j1 j2
join -o '1.1 2.2' j1 j2
fold -w 5 words.txt
fold -sw 10 words.txt
fold -bw 3 latin1.txt | od -c | head -5
printf 'éééééé\n' | fold -bw 3 | od -c
printf 'a\tb\tc\n' | fold -w 10
printf 'aaa\bbb\rccc\n' | fold -w 3 | cat -A
fold -w 0 s10
fold -w x s10
fold -5 words.txt
fold nope
fold d1
fold -w 10 -s <<< 'supercalifragilistic is a word'
fold -w99999999999999999999 s10 | head -1
fold -w -5 s10
echo -n abcdef | fold -w 2
fold -z
printf 'a b c d e f\n' | fold -s -w 1 | cat -A
fold -w 20 empty s10 | head -2
cut -d: -f1 colon
cut -d: -f2- colon
cut -d: -f1,3 --output-delimiter=, colon
cut -d: -f1 --complement colon
cut -d: -f2 -s colon
cut -c1-3 words.txt
cut -c -3 words.txt
cut -c3- words.txt
cut -b1,3 colon
cut -b 1-2 latin1.txt | od -c | head -3
cut -c1-2,4 --output-delimiter=: abc
cut -b1-2,4-5 --output-delimiter=XX colon
cut --complement -c2-3 colon
cut --complement -b1-2 --output-delimiter=: colon
cut -d: -f0 colon
cut -d: -f3-1 colon
cut -d: -fx colon
cut -d: -f colon
cut -d:: -f1 colon
cut -d '' -f1 colon
cut -f1 -c1 colon
cut -c1 -d: colon
cut -c1 -s colon
cut colon
cut -f1 nope
cut -f1 d1
cut -f1
cut -f- colon
cut -d: -f1-2-3 colon
cut -d: -f1,,2 colon
cut -d: -f'1 3' colon
cut -d: -f 99999999999999999999 colon
cut -d ' ' -f2 words.txt
END
