# `<(...)` and /dev/fd, for every tool. Each line runs on the same files; substitution.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
cat > t.sql <<< 'select 7;'
while IFS= read -r line; do try "$line"; done <<'END'
sort <(printf 'b\na\n')
sort -m <(printf 'a\nc\n') <(printf 'b\n')
comm <(printf 'a\nb\n') <(printf 'b\nc\n')
join <(printf 'a 1\n') <(printf 'a 2\n')
paste <(printf 'a\nb\n') <(printf '1\n2\n')
head -1 <(printf 'a\nb\n')
tail -1 <(printf 'a\nb\n')
wc -l < <(printf 'a\nb\n')
wc -l <(printf 'a\nb\n') | awk '{print $1}'
cat <(echo a) - <(echo b) <<< mid
tac <(printf 'a\nb\n')
nl <(printf 'a\nb\n')
cut -d, -f1 <(echo a,b)
tr a b < <(echo a)
uniq -c <(printf 'a\na\n')
diff -r <(echo a) <(echo b)
grep -n b <(printf 'a\nb\n')
grep -f <(echo b) <(printf 'a\nb\n') -h
grep -c . <(printf 'a\nb\n') <(echo c) -h
rg -N b <(printf 'a\nb\n')
rg -f <(echo foo) words.txt
jq -c . <(echo '{"a":1}')
jq -n --slurpfile x <(echo 1) '$x' -c
jq -n --rawfile x <(echo 1) '$x'
jq -f <(echo .a) <(echo '{"a":1}')
python3 -c 'import sys; print(open(sys.argv[1]).read())' <(echo hi)
bash <(echo 'echo hi')
source <(echo 'x=5'); echo $x
. <(echo 'echo dot')
while read l; do echo "[$l]"; done < <(printf 'a\nb\n')
mapfile -t a < <(printf 'a\nb\n'); echo "${#a[@]}"
tee >(cat >/dev/null) <<< out
xargs -a <(printf 'a b\n') echo
xxd <(printf abc)
sha256sum <(echo a) | cut -c 1-8
base64 <(echo a)
od -c <(echo a)
file - < <(echo hi)
gzip -c < <(echo hi) | zcat
zcat <(echo hi | gzip)
tar cf - nonl | tar tf /dev/stdin
tar xzf <(tar cz nonl) -O
tar -T <(echo nonl) -cf - | tar t
unzip -l <(zip -q - nonl) | tail -1
split -l 1 <(printf 'a\nb\n') pp; ls pp*
shuf -n 1 <(echo only)
numfmt --to=iec < <(echo 2048)
fold -w 2 <(echo abcd)
expand <(printf 'a\tb\n')
fmt <(echo a b)
pr -t <(echo a)
column -t <(echo a b)
bc <(echo 1+1)
dc <(echo 1 2+p)
sed -n p <(echo a) <(echo b)
sed -f <(echo s/a/b/) <(echo a)
awk -f <(echo '{print $1}') <(echo x y)
awk 'NR==FNR{a[$1];next} $1 in a' <(echo x) <(printf 'x\ny\n')
patch -p0 < <(diff -u o.txt n.txt); cmp o.txt n.txt
patch o.txt <(diff -u o.txt n.txt); cmp o.txt n.txt
diff <(sort o.txt) <(sort n.txt) | head -3
diff -u <(echo a) <(echo b) | tail -3
cmp <(echo a) <(echo a) && echo same
tree --fromfile <(printf 'a/b\n') | tail -3
strings <(echo hello)
hexdump -C <(echo a)
sqlite3 :memory: ".read $(echo t.sql)" 'select 1'
sqlite3 :memory: '.import --csv /dev/stdin t' 'select * from t' <<< $'a,b\n1,2'
sqlite3 :memory: '.import --csv "|cat data.csv" t' 'select count(*) from t'
comm -13 <(sort o.txt) <(sort n.txt)
cat /dev/stdin <<< a
cat /dev/fd/0 <<< a
echo a | tee /dev/stderr
echo a | tee /dev/fd/2
exec 3> f; echo hi >&3; cat f
exec 3> f; echo hi > /dev/fd/3; cat f
exec 3< nonl; read x <&3; echo $x; cat <&3
exec 4< nonl; sed -n 2p /dev/fd/4
exec 4< nonl; awk '{print}' /dev/fd/4
awk '{print > "/dev/fd/3"}' nonl 3> f; cat f
sed -n 'w /dev/fd/3' nonl 3> f; cat f
awk '{print > "/dev/stderr"}' nonl
cp /dev/stdin f <<< a; cat f
cp <(echo x) f; cat f
install <(echo x) f; cat f
dd if=/dev/stdin bs=1 count=1 <<< abc 2>/dev/null
dd if=<(echo abc) bs=1 count=1 2>/dev/null
yes a | head -2 | cat <(echo b) -
env -S 'cat' <<< z
test -e <(true) && echo exists
test -p <(true) && echo pipe
stat -c %F /dev/stdin < nonl
wc -c /dev/stdin < nonl
python3 <(echo 'print(5)')
python3 /dev/stdin <<< 'print(6)'
END
