# grep, diff and cmp on compressed files. Each line runs on the same files; compressed.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
gzip -c o.txt > o.gz; gzip -c n.txt > n.txt.gz; gzip -c words.txt > "a b.gz"; bzip2 -c o.txt > o.bz2; xz -c o.txt > o.xz; cp o.txt plain
bzip2 -c n.txt > n.txt.bz2; xz -c n.txt > n.txt.xz; cp -a o.gz o.bz2 o.xz n.txt.* "a b.gz" plain "$base/files" 2> /dev/null
printf 'not packed\n' > "$base/files/bad.gz"
while IFS= read -r line; do try "$line"; done <<'END'
zgrep 'line 1' o.gz
zgrep -c line o.gz n.txt.gz
zgrep -n 'line 3' o.gz plain
zgrep -h 'line 12' o.gz n.txt.gz
zgrep -H 'line 12' o.gz
zgrep -l line o.gz n.txt.gz "a b.gz"
zgrep -L inserted o.gz n.txt.gz
zgrep -i 'LINE FOUR' *.gz
zgrep -e 'line 2$' -e inserted n.txt.gz
zgrep -A 1 -m 1 'line 1' o.gz
zgrep -A1 -B 1 inserted n.txt.gz
zgrep -q nothing o.gz
zgrep -q line o.gz nosuch.gz
zgrep line nosuch.gz
zgrep fox "a b.gz" -o
zgrep -E 'line (3|4)$' o.gz
zegrep 'line (3|4)$' o.gz
zfgrep 'a.b' "a b.gz"
zgrep -v line n.txt.gz
zcat o.gz | zgrep 'line 30'
zgrep 'line 30' < o.gz
zgrep -w packed bad.gz
zgrep -- '-x' o.gz
zgrep --count line o.gz
zgrep --max-count 1 line o.gz
zgrep 2> /dev/null
zgrep -r line . 2> /dev/null
bzgrep 'line 30' o.bz2
bzgrep -c line o.bz2 n.txt.bz2
xzgrep 'line 30' o.xz
xzgrep -c line o.xz n.txt.xz
xzegrep 'line (3|4)$' o.xz
zdiff o.gz n.txt.gz | head -4
zdiff n.txt.gz
zdiff o.gz o.gz
zdiff -q o.gz n.txt.gz
zdiff o.gz plain
zdiff plain o.gz
zcmp o.gz o.gz
zcmp o.gz plain
zcmp -s o.gz n.txt.gz
zcmp n.txt.gz
zcmp plain 2> /dev/null
bzcmp o.bz2 plain
xzcmp o.xz plain
xzdiff o.xz n.txt.xz | head -3
zless o.gz | tail -1
zmore o.gz | tail -1
END
