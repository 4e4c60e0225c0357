# column. Each line runs on the same files; column.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
column -t data.tsv
column -t -s, data.csv
column -t -s, -o' | ' data.csv
column -s: -t <<< 'a:bb:c
column words.txt
column -c 40 words.txt
column -x -c 40 words.txt
column -t -N A,B,C data.tsv
column -t -s, -N a,b,c,d -R 3,4 data.csv
column -t -s, -H 2 -N a,b,c,d data.csv
column -t -s, -O 3,1 -N a,b,c,d data.csv
column -t -l 2 words.txt
column -e -c 40 words.txt
column -t -d -N A,B,C data.tsv
column -t -E 1 -N A,B,C data.tsv
column -t -W 2 -N A,B,C data.tsv
column -t -T 1 -c 10 -N A,B,C data.tsv
column -t -L words.txt
column --tree-id A --tree-parent C --tree B -N A,B,C <<< '1 root 0
column empty
column -t empty
column -t nonl
column -t latin1.txt
column nosuch
column --nope
column -k
column -t -s '' data.csv
column -t <<< 'é b
column -tns, data.csv
column -c 0 words.txt
column -c x words.txt
column -t crlf.txt
column -t -s$'\t' data.tsv
column -t -s'|' -o'|' <<< 'a|b|c
paste -s -d, nonl | column -t -s,
END
