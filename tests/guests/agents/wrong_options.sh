# Wrong command lines of the tools from uutils. Each line runs on the same files; wrong_options.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
. /mnt/cases/more
while IFS= read -r line; do try "$line"; done <<'END'
b2sum -Z
base32 a b
base64 --nope
basename
basename a b c
basename -Z a
basenc -Z
cksum -Z
cksum -a md4 s10
comm
comm a
comm a b c
comm -Z a b
cut -Z
cut --field
cut -d
cut
date -Z
date a b
date --rfc-3339=x
date -Ix
dirname
dirname -Z
factor -Z
fold -Z
fold -w
join
join a
join a b c
join -Z a b
link
link a
link a b c
md5sum -Z
nproc x
nproc -Z
numfmt --to=x 1
numfmt --round=x 1
numfmt --nope
od -Z
od -A q s10
od -t q s10
od -t d3 s10
paste -Z
paste -d
pathchk
pathchk -Z
ptx -Z
readlink -Z
realpath -Z
rm
rm -Z x
rm --recursiv
rmdir
rmdir -Z x
seq -Z
seq -f
sha256sum -Z
sha512sum --chec=x
shred
shred -Z
shuf -Z
shuf -i x-1
shuf -e -i 1-2
shuf s10 s100
sleep
sum -Z
touch -Z
touch --time=x f
truncate s10
truncate -s 5
truncate -Z
tsort -Z
tsort a b
unexpand -Z
uniq -Z
uniq a b c
uniq --group=x s10
uniq -w x s10
unlink
unlink a b
wc -Z
wc --lin --nope
comm --o
numfmt --f 1
date --r=x
END
