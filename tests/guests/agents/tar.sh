# tar and the compressors. The same files for every line; what it prints, the first line of its errors, its status.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
{ tar cf a.tar -C d1 a.txt -C ../d2 b.txt; tar tf a.tar; } | sort
tar cf a.tar nosuch
tar tf nosuch.tar
tar xf words.txt
tar tf empty
tar
tar c
tar x
tar --nope
tar -k
tar cf a.tar
tar cxf a.tar d1
tar rf a.tar o.txt; tar tf a.tar
{ ls d1 | tar cf a.tar -C d1 -T -; tar tf a.tar; } | sort
{ find d1 -type f -print0 | sort -z | tar cf a.tar --null -T -; tar tf a.tar; } | sort
{ tar cf a.tar --no-recursion d1; tar tf a.tar; } | sort
tar cf a.tar --remove-files d1/b.txt; ls d1
{ tar czf - d1 | tar xzf - -C d2; ls d2; } | sort
{ tar cf - d1 | tar xvf - -C d2; } | sort
tar xzf o.txt
tar cf a.tar -- -x
tar --list --file=a.tar --verbose
{ tar cf a.tar --newer='2030-01-01' d1; tar tf a.tar; } | sort
tar cf a.tar --sparse o.txt; tar tf a.tar
{ tar cf a.tar --verbatim-files-from -T <(echo d1/a.txt); tar tf a.tar; } | sort
tar xvvf a.tar
{ tar cf /dev/null d1; tar cf - d1 | wc -c; } | sort
gzip o.txt; ls o.txt.gz; gunzip o.txt.gz; ls o.txt
gzip -c o.txt | gunzip
gzip -9 -v d1/a.txt
gzip d1
gzip nosuch
gzip -d o.txt
gzip -dc o.txt
gzip -dcf o.txt
gzip -d < o.txt
zcat o.txt
zcat nosuch
gzip --nope
gzip < o.txt | gzip -l
gzip -cd < empty
ln -s o.txt ol; gzip ol
gunzip nosuch.gz
gunzip -k o.txt
gzip -q o.txt; gzip -dq o.txt.gz
gzip -N o.txt; mv o.txt.gz z.gz; gunzip -N z.gz; ls
bzip2 o.txt; bzip2 -d o.txt.bz2; ls o.txt*
bzip2 nosuch
bunzip2 o.txt
bzcat o.txt
bzip2 -k o.txt; bzip2 o.txt
bzip2 --nope
bzip2 -dc < empty
bzip2 d1
xz o.txt; unxz o.txt.xz; ls o.txt*
xz nosuch
xz -d o.txt
xz -dc < empty
xz -k o.txt; xz o.txt
xz --nope
xz d1
zstd nosuch
zstd --nope
zstd d1
END
