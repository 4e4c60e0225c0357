# seq, shuf, numfmt, factor, expr. Each line runs on the same files; sequences.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
. /mnt/cases/more
while IFS= read -r line; do try "$line"; done <<'END'
numfmt --to=iec 1024 1048576 1500
numfmt --to=iec-i 1024 2000000
numfmt --from=iec 1K 2M 1.5G
numfmt --from=si 1K 2M
numfmt --from=iec-i 1Ki 2Mi
numfmt --from=auto 1K 1Ki
numfmt --to=iec --suffix=B 2048
numfmt --grouping 1234567
numfmt --padding=10 5
numfmt --padding=-10 5 | cat -A
numfmt --format='%10.2f' 3.14159
numfmt --format='%08.3f' --to=iec 123456
numfmt --format='x%-8fy' 12
numfmt --round=up --to=iec 1025
numfmt --round=down --to=iec 1999
numfmt --round=nearest --to=iec 1999
numfmt --field=2 --to=iec < j1
printf 'a 1024 b\n' | numfmt --field=2 --to=iec
printf 'a,1024,2048\n' | numfmt -d, --field=2- --to=iec
printf 'size\n1024\n' | numfmt --header --to=iec
printf 'x\n1024\n' | numfmt --to=iec
printf 'x\n1024\n' | numfmt --to=iec --invalid=warn
printf 'x\n1024\n' | numfmt --to=iec --invalid=ignore
printf 'x\n1024\n' | numfmt --to=iec --invalid=fail
numfmt 1K
numfmt --from=iec 1X
numfmt --from=iec 1Kx
numfmt --to=foo 1
numfmt --from=si 1e3
numfmt --to-unit=1024 2048
numfmt --from-unit=512 4
numfmt --to=si 500 1234567890 12345678901234567890
numfmt ''
numfmt -- -5
numfmt 1,5
numfmt --format=abc 1
numfmt --format='%d' 1
numfmt --format='%f%f' 1
numfmt --field=x 1
numfmt --padding=0 1
numfmt --debug --to=iec 1
ls -l s10 | awk '{print $5}' | numfmt --to=iec
numfmt --to=iec --field=- <<< '1024 2048 x'
numfmt --to=iec -z <<< 1024
numfmt --from=si --format='%.1f' 1.5K
numfmt --to=iec 1023 1024 9999 10239 10240 1048575
numfmt --to=si 0.5 1.25 -1500
shuf -i 1-5 | sort
shuf -e a b c | sort
shuf -n 0 s10
shuf -r -n 5 -e a
shuf -r -i 1-1 -n 3
shuf -i 5-1
shuf -i x-3
shuf -i 3
shuf -i 1-3 -e a
shuf -i 1-3 s10
shuf -n x s10
shuf -n -1 s10
shuf nope
shuf s10 j1
shuf -o out s10; sort -n out | head -3
shuf --random-source=s100 s10
shuf --random-source=s100 -i 1-20
shuf -z -e a | od -c
shuf -r empty
shuf -r -e
shuf -e
shuf --random-source=s100 -n 3 s100
shuf --random-source=s100 -r -n 5 -i 0-9
shuf -i 1-2 -i 3-4
seq 3
seq 0 0.1 0.5
seq 1 -1 -2
seq 5 1
seq -w 1 10
seq -w 0 0.05 0.2
seq -w -1 1 3
seq -w 1 1.5 4
seq -w 1e2
seq -f %05.2f 1 0.5 3
seq -f 'x%gy' 3
seq -f %e 2
seq -f %x 2
seq -f %d 2
seq -f 'a' 2
seq -f '%g%g' 2
seq -f '%%' 2
seq -f '%' 2
seq -f '%g%' 2
seq -s, 3
seq -s '\n' 3
seq -s '' 3
seq -t x 3
seq 1 0 3 | head -2
seq 1 x
seq 1 2 3 4
seq
seq ''
seq 1e3 1e3
seq 1.0 3
seq 0x10 0x12
seq 0x1p2
seq -5
seq -- -5 -3
seq -3 -1
seq 10 -3 1
seq 1 .5 2
seq .1 .1 .5
seq 1.10 1.15
END
