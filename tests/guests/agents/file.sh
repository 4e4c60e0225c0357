# file. The same files for every line; what it prints, the first line of its errors, its status.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
printf 'all:\n\techo x\n' > Makefile; file Makefile
file nosuch
END
