# zip, unzip, tar and the compressors, compared with the real programs. Each line runs on the same files; archives.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
zip a.zip words.txt nonl
zip -qr a.zip d1; mkdir o; unzip -q a.zip -d o; find o | sort
zip -qr a.zip d1; unzip -o a.zip d1/b.txt
zip -qr a.zip d1; unzip -n a.zip
zip -qr a.zip d1; unzip a.zip -d o -x '*.txt'
zip -qr a.zip d1; unzip -p a.zip d1/b.txt
zip -qr a.zip d1; unzip -c a.zip d1/b.txt
zip -qr a.zip d1; unzip -tq a.zip
zip -qr a.zip d1; unzip a.zip nosuch
zip -qr a.zip d1; unzip -p a.zip nosuch
zip -qj a.zip d1/b.txt d1/sub/c.py; unzip -Z1 a.zip
zip -q a.zip words.txt; zip a.zip nonl; unzip -Z1 a.zip
zip -q a.zip words.txt nonl; zip -d a.zip nonl; unzip -Z1 a.zip
zip -q a.zip words.txt; zip -d a.zip nosuch
zip -qm a.zip words.txt; ls words.txt
zip -r a.zip d1 -x '*.txt'
zip -r a.zip d1 -x '*.txt' '*/sub/*'
zip -0 a.zip words.txt
zip -9 a.zip o.txt
zip -q -y a.zip d1/link; unzip -Z1 a.zip
zip a.zip nosuch words.txt
zip --nope a.zip words.txt
zip -q - words.txt > a.zip; unzip -p a.zip | head -1
echo words.txt | zip a.zip -@
zip -T a.zip words.txt
zip -q a.zip words.txt; zip -T a.zip
zip -qr a words.txt; ls a.zip
zip -q a.zip d1; unzip -Z1 a.zip
zip -z a.zip words.txt <<< 'my comment'; unzip -z a.zip
zip -q a.zip words.txt; zipinfo a.zip | head -1
zip -q a.zip words.txt; unzip -Z a.zip | head -1
zip -q a.zip words.txt; unzip a.zip < /dev/null
zip -q a.zip words.txt; echo y | unzip a.zip
zip -q a.zip words.txt; echo A | unzip a.zip
zip -q a.zip words.txt; echo N | unzip a.zip
unzip words.txt
unzip empty
zip -q a.zip words.txt; head -c 50 a.zip > b.zip; unzip b.zip
zip -q a.zip words.txt; unzip a.zip -d /nonexist/dir
zip -q a.zip words.txt; unzip a -d o
zip -q a.zip words.txt nonl; unzip -q a.zip words.txt nonl -d o; ls o
zip -q a.zip words.txt; unzip -qq -o a.zip; echo $?
zip -q a.zip words.txt; unzip -L a.zip -d o
zip -q a.zip words.txt; unzip -C a.zip WORDS.TXT -d o
zip -q a.zip words.txt; unzip -P x a.zip -d o
zip -q 'a b.zip' words.txt; unzip -l 'a b.zip' | tail -1
zip a.zip d1/*
tar cf a.tar d1; tar tf a.tar | sort
tar cvf a.tar d1 | sort
tar czvf a.tgz d1/sub d1/b.txt
tar -czf a.tgz -C d1 . ; tar tzf a.tgz | sort
tar -czf a.tgz d1; tar -xzvf a.tgz -C d2 | sort
tar cf a.tar d1/b.txt; tar tvf a.tar | awk '{print $1, $3, $6}'
tar cf a.tar d1/link; tar tvf a.tar | awk '{print $1, $6, $7, $8}'
tar cf a.tar --owner=root --group=root --numeric-owner d1/b.txt; tar tvf a.tar | awk '{print $1, $2, $3}'
tar cf a.tar --exclude='*.txt' d1; tar tf a.tar
tar --exclude=sub -cf a.tar d1; tar tf a.tar | sort
tar cf a.tar --exclude='d1/s*' d1; tar tf a.tar | sort
tar cf a.tar d1; mkdir o; tar xf a.tar -C o --strip-components=1; ls o
tar cf a.tar d1; mkdir o; tar xf a.tar -C o --strip-components 2; ls o
tar cf a.tar --transform 's/d1/X/' d1/b.txt; tar tf a.tar
tar cf a.tar --transform 's,^,pre/,' d1/b.txt nonl; tar tf a.tar
tar cvf a.tar --show-transformed-names --transform 's,^,pre/,' nonl
tar xf <(tar cf - nonl) -O
tar cf - d1 | tar tf - | sort
tar cf - d1/b.txt | tar xvf - -C d2
echo d1/b.txt > list; tar cf a.tar -T list; tar tf a.tar
printf 'd1/b.txt\nnosuch\n' > list; tar cf a.tar -T list; tar tf a.tar
tar cf a.tar -T nosuchlist
tar cf a.tar d1; tar xf a.tar --wildcards '*.txt' -C d2 -v | sort
tar cf a.tar d1; tar tf a.tar '*.txt'
tar cf a.tar d1; tar tf a.tar --wildcards '*.txt' | sort
tar cf a.tar d1; tar tf a.tar d1/sub
tar cf a.tar d1/b.txt; tar rf a.tar nonl; tar tf a.tar
tar czf a.tgz nonl; tar rf a.tgz words.txt
tar xf nosuch.tar
tar xzf words.txt
tar xjf words.txt
tar xJf words.txt
tar x --zstd -f words.txt
tar cf a.tar nonl nosuch; echo $?
tar cf /nonexist/a.tar nonl
tar xf a.tar -C /nonexist
tar cf a.tar nonl; tar xf a.tar nosuch
tar cf a.tar nonl; tar xf a.tar nosuch nonl; echo $?
tar -f a.tar
tar tf
tar zcf a.tgz nonl; tar tf a.tgz; tar ztf a.tgz
tar caf a.tar.xz nonl; file -b a.tar.xz | cut -c 1-10
tar caf a.tar.bz2 nonl; file -b a.tar.bz2 | cut -c 1-10
tar caf a.tar.zst nonl; file -b a.tar.zst | cut -c 1-10
tar -I gzip -cf a.tgz nonl; tar tf a.tgz
tar -I 'gzip -9' -cf a.tgz nonl; tar tf a.tgz
tar --use-compress-program=zstd -cf a nonl; tar tf a
tar cf a.tar nonl; tar xOf a.tar
tar cf a.tar nonl; tar xf a.tar --to-stdout nonl
tar cf a.tar nonl; tar xvf a.tar; tar xvvf a.tar | awk '{print $1,$6}'
tar cf a.tar nonl; tar -xkf a.tar
tar cf a.tar nonl; tar -xf a.tar --overwrite; echo $?
tar cf a.tar nonl; tar -xf a.tar -U; echo $?
tar cf a.tar ./nonl; tar tf a.tar
tar cf a.tar d1/; tar tf a.tar | sort
tar cf a.tar d1 d1; tar tf a.tar | sort | uniq -c
tar cf a.tar --no-recursion d1; tar tf a.tar
tar cf a.tar --sort=name d1; tar tf a.tar
tar cf a.tar d1; tar xf a.tar --one-top-level; find a | sort
tar cf a.tar d1; tar xf a.tar --one-top-level=z; find z | sort
tar cf a.tar d1; tar --list --file=a.tar --verbose | wc -l
tar cf a.tar nonl words.txt; tar --delete -f a.tar nonl; tar tf a.tar
tar cf a.tar nonl; tar cf b.tar words.txt; tar Af a.tar b.tar; tar tf a.tar
tar cf a.tar nonl; cat a.tar a.tar > c.tar; tar tf c.tar; tar tif c.tar
tar cf a.tar nonl; tar xf a.tar --xattrs --acls --selinux; echo $?
tar cf a.tar nonl; tar xpf a.tar; tar xf a.tar --no-same-owner --no-same-permissions; echo $?
tar cf a.tar --format=ustar nonl; tar tf a.tar
tar cf a.tar --format=posix nonl; tar tf a.tar
tar cf a.tar --format=nope nonl
tar cf a.tar --nope nonl
tar cf a.tar -b 1 nonl; stat -c %s a.tar
tar cf a.tar -g snap nonl
tar cWf a.tar nonl
tar cf a.tar nonl; tar xf a.tar --transform 's/nonl/zz/' -v; ls zz
tar cf a.tar nonl; tar xf a.tar --exclude nonl -v
tar cf a.tar --exclude-vcs proj; tar tf a.tar | sort
tar cf a.tar -X <(echo '*.log') proj; tar tf a.tar | grep log
tar cf a.tar --ignore-failed-read nosuch nonl; echo $?
tar cf a.tar --warning=no-file-changed nonl; echo $?
tar -cf a.tar -- nonl; tar tf a.tar
tar cf a.tar nonl -C d1 b.txt -C ../d2 a.txt; tar tf a.tar
tar -C d1 -cf ../a.tar b.txt; ls *.tar ../a.tar 2>/dev/null
tar cvzf a.tgz nonl words.txt 2>&1
tar xvf a.tgz 2>&1
tar cf a.tar nonl; tar tvf a.tar --utc | awk '{print NF}'
tar cf a.tar 'no such' 
touch 'é'; tar cf a.tar é; tar tf a.tar --quoting-style=literal
gzip words.txt; ls words*; gunzip words.txt.gz; ls words*
gzip -k words.txt; ls words*
gzip -c words.txt | gzip -dc | cmp - words.txt
gzip -kv words.txt 2>&1 | sed 's/[0-9.]*%/N%/'
gzip -k words.txt; gzip -l words.txt.gz | sed 's/[0-9.]*%/N%/' | awk '{print $2,$3,$4}'
gzip -k words.txt; gzip -t words.txt.gz; gzip -tv words.txt.gz
gzip words.txt; gzip words.txt.gz
gzip -r d1; find d1 -type f | sort
gzip -k words.txt; gzip -k words.txt < /dev/null
gzip -k words.txt; gzip -kf words.txt
gunzip words.txt
gunzip nosuch
gunzip nosuch.gz
cp words.txt words.gz; gunzip words.gz
gzip -d < words.txt
zcat words.txt
gzip -k words.txt nonl; zcat words.txt.gz nonl.gz | tail -2
gzip -c nonl > a.gz; gzip -c words.txt >> a.gz; zcat a.gz | head -4
gzip -c nonl > a.gz; echo junk >> a.gz; zcat a.gz
gzip -c words.txt | head -c 30 | gzip -d
gzip -S .z -k nonl; ls nonl*; gunzip -S .z nonl.z < /dev/null
gzip -9 -n -c nonl | xxd -p | cut -c 1-20
gzip -1 -c nonl | gzip -d
gzip --best --keep nonl; ls nonl*
gzip --nope nonl
gzip -q nosuch
gzip -cd nonl
gzip -cdf nonl
zcat -f nonl
gzip empty; gzip -l empty.gz | tail -1
gzip -d -c < /dev/null
gzip -k -c nonl words.txt | zcat | wc -l
bzip2 -k nonl; ls nonl*; bzip2 -t nonl.bz2; bzcat nonl.bz2
bzip2 nonl; bunzip2 nonl.bz2; ls nonl*
bzip2 -k nonl; bzip2 -k nonl
bzip2 -d nonl
bzip2 -c nonl > a.bz2; bzip2 -c words.txt >> a.bz2; bzcat a.bz2 | head -4
bzcat words.txt
bunzip2 -k words.txt
xz -k nonl; ls nonl*; xz -t nonl.xz; xzcat nonl.xz
xz nonl; unxz nonl.xz; ls nonl*
xz -kv nonl
xz -k nonl; xz -k nonl
xz -d nonl
xz -k nonl; xz -l nonl.xz
xz -l words.txt
xz -c nonl > a.xz; xz -c words.txt >> a.xz; xzcat a.xz | head -4
xzcat words.txt
xz -9e -T0 -k nonl; ls nonl*
xz -0 -c nonl | xz -d
xz --format=lzma -k nonl; ls nonl*; lzcat nonl.lzma
xz --check=crc32 -c nonl | xz -dc
zstd -q nonl; zstd -dq nonl.zst -o out; cat out
zstd -q nonl; zstd -df nonl.zst
zstd -q nonl; zstd -t nonl.zst
zstd -q nonl; zstd -l nonl.zst | head -1
zstd -19 -q nonl; zstd --ultra -22 -qf nonl; ls nonl*
zstd -c nonl | zstd -dc
zstd --rm -q nonl; ls nonl*
zstd -q nonl; zstdcat nonl.zst
zstd nosuch
zstd -dc words.txt
zstd -q nonl -o x.zst; ls x.zst; unzstd x.zst
zstd -T0 -q nonl; ls nonl.zst
zstd -c nonl > a.zst; zstd -c words.txt >> a.zst; zstdcat a.zst | head -4
zstd -q nonl words.txt; ls *.zst
zstd -q nonl; zstd -q nonl
touch é 日本; tar cf a.tar é 日本; tar tf a.tar; LC_ALL=C tar tf a.tar
tar cf a.tar -T /dev/null; tar tf a.tar; wc -c < a.tar
tar xf words.txt
zip -q 1.zip nonl; unzip '?.zip' -d o; unzip -l '*.zip' | head -1
zip -q 1.zip nonl; cp words.txt 2.zip; unzip -qq '*.zip' -d o; ls o
zip -q 1.zip nonl; zipinfo -1 1.zip
zip -q 1.zip nonl; unzip 1.zip -d x/y
END
