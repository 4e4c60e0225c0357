# what is wrong is said, with status 1; a file that was cut off gives what there is, with status 2
cd "$(mktemp -d)" || exit 1
exec 2>&1
awk 'BEGIN { print "P3\n64 64\n255"; for (i = 0; i < 4096; i++) print i % 251, i * 7 % 253, i * 11 % 241 }' > a.ppm
cjpeg a.ppm > a.jpg

echo '-- djpeg'
djpeg nothing.jpg; echo $?
echo hello | djpeg; echo $?
: | djpeg; echo $?
djpeg . 2>&1 | grep -c '^djpeg: \.: '
head -c 20 a.jpg | djpeg; echo $?
head -c 100 a.jpg | djpeg; echo $?
head -c "$(($(wc -c < a.jpg) / 2))" a.jpg > cut.jpg; djpeg cut.jpg > cut.ppm; echo $? "$(wc -c < cut.ppm)"; tail -c 3 cut.ppm | od -An -tu1
djpeg a.jpg | head -c 1000 > begin; head -c 1000 cut.ppm | cmp - begin && echo 'begins the same'
cjpeg -progressive a.ppm > p.jpg; head -c "$(($(wc -c < p.jpg) * 9 / 10))" p.jpg | djpeg | wc -c
djpeg -scale 1/3 a.jpg; djpeg -zz a.jpg; djpeg -scale; djpeg a.jpg a.jpg
djpeg -bmp a.jpg; djpeg -colorspace cmyk a.jpg; djpeg -colorspace blue a.jpg
djpeg -outfile no/o.ppm a.jpg; echo $?
printf '\377\330\377\300\0\13\10\377\377\377\377\1\1\21\0\377\332' | djpeg; echo $?
printf '\377\330\377\311\0\13\10\0\10\0\10\1\1\21\0\377\332' | djpeg; echo $?

echo '-- cjpeg'
echo hello | cjpeg; echo $?
printf 'P6\n4 4\n255\nabc' | cjpeg; echo $?
printf 'P6\n60000 60000\n255\n' | cjpeg; echo $?
head -c 70000 /dev/zero | { printf 'P5\n70000 1\n255\n'; cat; } | cjpeg; echo $?
printf 'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcd' | cjpeg
cjpeg -quality 101 a.ppm; cjpeg -quality high a.ppm; cjpeg -sample 3x1 a.ppm; cjpeg -restart x a.ppm; cjpeg -arithmetic a.ppm
cjpeg -qtables '1 2 3' a.ppm; cjpeg -qtables missing a.ppm; cjpeg -qtables a.ppm a.ppm
echo hello | cjpeg -outfile o.jpg; ls o.jpg
djpeg --version | sed 's/ [0-9.]*$//'; cjpeg -help | head -n 3
