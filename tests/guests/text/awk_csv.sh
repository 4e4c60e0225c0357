# awk --csv, as gawk 5.3's manual describes it: quotes, commas, newlines and doubled quotes in fields; $0 stays as it was.
cd "$(mktemp -d)" || exit 1
printf 'id,name,note\n1,"Smith, John","said ""hi"""\n2,plain,"two\nlines"\n3,,a""b\n\n4,"",\r\n' > t.csv
awk --csv '{ printf "%d: %d fields", NR, NF; for (i = 1; i <= NF; i++) printf " [%s]", $i; print "" }' t.csv
awk --csv 'NR == 2 { print $0; $1 = 9; print; OFS = "|"; $1 = $1; print; print $2 == "Smith, John", length($3) }' t.csv
awk -k 'NR > 1 && $1 + 0 { s += $1 } END { print s, NR, FNR }' t.csv
awk --csv 'BEGIN { n = split("a,\"b,c\",\"d\"\"e\"", f); print n, f[1], f[2], f[3]; n = split("a:b,c", f, ":"); print n, f[2]; print PROCINFO["CSV"] }'
awk --csv '{ while ((getline line < "t.csv") > 0) n++; print n; exit }' t.csv
printf 'x,"open\nto the end' | awk --csv '{ print NF, $2 }'
awk --csv 'BEGIN { FS = ":" } NR == 1 { print $2 }' t.csv 2>&1
awk '{ print NF }' FS=, t.csv | head -2
