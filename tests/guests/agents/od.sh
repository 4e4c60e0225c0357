# od. Each line runs on the same files; od.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
. /mnt/cases/more
while IFS= read -r line; do try "$line"; done <<'END'
od -An -tx1 -w8 s10
od -w s10
od -w16 -tx1 s10
od -w3 -tx2 s10
od -w0 s10
od -wx s10
od -w s100 | head -3
od -v -w4 -tx1 -An /dev/null
od -A x -t x1z -v bin.dat
od -A n -t c nonl
od -A d -t d1 nonl
od -A o nonl
od -A y nonl
od -t x1 -t c nonl
od -t x1c nonl
od -tx1z -ta nonl
od -ta bin.dat
od -to2 bin.dat
od -tu4 bin.dat
od -tf8 -N 16 bin.dat
od -tfD -N 16 bin.dat
od -tdS nonl
od -tdI nonl
od -tdL nonl
od -td3 nonl
od -tq nonl
od -t nonl
od -j 4 nonl
od -j 4 -N 3 -c nonl
od -j 100 nonl
od -j 0x4 -c nonl
od -j 1b -c s100 | head -2
od -N 0 nonl
od -N x nonl
od -j x nonl
od -S 3 bin.dat
od -s bin.dat
od --strings=5 bin.dat
od --strings bin.dat
od -A d -S 4 bin.dat
od -b nonl
od -x nonl
od -d nonl
od -i nonl
od -l nonl
od -f nonl
od -F nonl
od -h nonl
od -o nonl
od -s nonl
od -a nonl
od -H nonl
od -I nonl
od -L nonl
od -c -b nonl
od nope
od -c nonl s10
od -c nonl +4
od -c nonl 0x2
od --traditional nonl 4 10
od --endian=big -tx2 nonl
od --endian=little -tx4 nonl
od --endian=foo nonl
od -t x8 nonl
od -t u1 -w5 nonl
od -An -vtu1 -w1 nonl
od -An -N4 -tu4 nonl
od -An -tx1 -v nonl | tr -d ' \n'
od -Ax -tx1 -j3 nonl
od -Ad -c -w10 nonl
od --address-radix=d -t x1 nonl
od --format=x1 --read-bytes=4 nonl
od --skip-bytes=4 nonl
od -ta1 nonl
od -tc2 nonl
END
