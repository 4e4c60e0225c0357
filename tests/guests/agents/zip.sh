# zip and unzip. Each line runs on the same files; zip.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
zip a.zip o.txt
{ zip -r a.zip d1; } | sort
{ zip -r a.zip d1 -x '*.txt'; } | sort
{ zip -r a.zip d1 -x d1/sub/\*; } | sort
{ zip -rq a.zip d1; unzip -Z1 a.zip; } | sort
{ zip -j a.zip d1/a.txt d2/b.txt; unzip -Z1 a.zip; } | sort
{ zip -r a.zip d1 -i '*.py'; unzip -Z1 a.zip; } | sort
{ zip -ry a.zip d1; unzip -Z1 a.zip; } | sort
{ zip -r a d1; ls a.zip; } | sort
zip -q a.zip o.txt; zip -f a.zip o.txt; echo $?
zip -q a.zip o.txt; zip a.zip o.txt
zip -0 a.zip o.txt
zip -m a.zip nonl; ls nonl
zip - o.txt > a.zip; unzip -Z1 a.zip
zip a.zip nosuch
zip a.zip o.txt nosuch
zip --nope
zip a.zip
zip -T a.zip
zip -q a.zip o.txt; zip -T a.zip
{ zip -qr a.zip d1; unzip -p a.zip d1/b.txt; } | sort
{ zip -qr a.zip d1; unzip a.zip -d out; } | sort
zip -qr a.zip d1; unzip -q a.zip -d out; find out | sort
{ zip -qr a.zip d1; unzip -o a.zip; } | sort
{ zip -qr a.zip d1; unzip -n a.zip; } | sort
{ zip -qr a.zip d1; unzip -j a.zip -d out; ls out; } | sort
{ zip -qr a.zip d1; unzip a.zip 'd1/*.txt' -d out; } | sort
{ zip -qr a.zip d1; unzip a.zip -x '*.txt' -d out; } | sort
{ zip -qr a.zip d1; unzip -t a.zip; } | sort
{ zip -qr a.zip d1; unzip -tq a.zip; } | sort
{ zip -qr a.zip d1; unzip -c a.zip d1/b.txt; } | sort
{ zip -qr a.zip d1; unzip -C a.zip 'D1/A.TXT' -d out; } | sort
{ zip -qr a.zip d1; unzip -LL a.zip -d out; ls out; } | sort
{ zip -qr a.zip d1; unzip -aa a.zip -d out; } | sort
unzip nosuch
unzip nosuch.zip
unzip o.txt
{ zip -qr a.zip d1; head -c 300 a.zip > b.zip; unzip b.zip; } | sort
zip -q0 a.zip o.txt; sed -i 's/line 1/lime 1/' a.zip; unzip -t a.zip
zip -q0 a.zip o.txt; sed -i 's/line 1/lime 1/' a.zip; unzip -o a.zip; echo $?
zip -q0 a.zip o.txt; sed -i 's/line 1/lime 1/' a.zip; unzip -p a.zip | head -1
zip -q a.zip -- -x
zip -q a.zip o.txt -x
zip -r a.zip . -q; unzip -Z1 a.zip | sort | head -5
{ zip -r -FS a.zip d1; } | sort
{ zip -r -D a.zip d1; unzip -Z1 a.zip; } | sort
{ zip -n .txt -r a.zip d1; } | sort
{ zip -X -r -q a.zip d1 && ls a.zip; } | sort
{ zip -sf -r a.zip d1; } | sort
zip -o -q a.zip o.txt; ls a.zip
{ zip --recurse-paths --quiet a.zip d1; unzip -Z1 a.zip; } | sort
zip -b /tmp -q a.zip o.txt
END
