# zip and unzip. The same files for every line; what it prints, the first line of its errors, its status.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
zip a.zip nosuch
zip --nope
zip a.zip
zip -T a.zip
unzip nosuch
unzip nosuch.zip
unzip o.txt
zip -q a.zip -- -x
zip -q a.zip o.txt -x
{ zip -sf -r a.zip d1; } | sort
END
