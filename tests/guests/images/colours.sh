# gray, RGB as it is, YCbCr and CMYK; PGM, PPM and PAM; smaller sizes; tables of quantization
cd "$(mktemp -d)" || exit 1
awk 'BEGIN {
    print "P3\n40 24\n255"
    for (y = 0; y < 24; y++) for (x = 0; x < 40; x++) print x * 6, y * 10, 255 - x * 3 - y * 5
}' > a.ppm
sed 1,3d a.ppm | tr ' ' '\n' > a.numbers
numbers() { tail -c "+$1" | od -An -v -tu1 | tr -s ' ' '\n' | sed '/^$/d'; }
close() { paste "$1" - | awk '{ d = $1 - $2; sum += d < 0 ? -d : d } END { print NR, sum / NR < 2 ? "close" : sum / NR }'; }

cjpeg -quality 95 a.ppm > a.jpg
djpeg -pnm a.jpg | numbers 14 | close a.numbers
djpeg -grayscale a.jpg | sed -n '1,2p;2q'
djpeg -grayscale a.jpg | numbers 14 > gray.numbers
awk 'NR > 3 { print int(0.299 * $1 + 0.587 * $2 + 0.114 * $3 + 0.5) }' a.ppm | close gray.numbers
cjpeg -quality 95 -grayscale a.ppm > g.jpg
djpeg g.jpg | numbers 14 | close gray.numbers
djpeg -rgb g.jpg | sed -n '1,2p;2q'

echo '-- PAM'
djpeg -pam a.jpg | sed -n '1,7p;7q'
djpeg -pam g.jpg | sed -n '6p;6q'
djpeg -ycbcr a.jpg > a.pam; sed -n '6p;6q' a.pam
cjpeg -quality 100 -sample 1x1 a.pam | djpeg | numbers 14 | close a.numbers
djpeg -ycbcr a.jpg | numbers 64 | sed -n 'p;n;n' | close gray.numbers

echo '-- RGB as it is'
cjpeg -quality 95 -rgb a.ppm > r.jpg
od -An -c -j 6 -N 5 r.jpg
djpeg r.jpg | numbers 14 | close a.numbers
djpeg -colorspace ycbcr r.jpg | numbers 14 | close a.numbers | grep -c close

echo '-- CMYK: ink on the way in and out, inverted in the file'
{ printf 'P7\nWIDTH 8\nHEIGHT 8\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\n'
    for i in 1 2 3 4 5 6 7 8; do printf '\0\100\200\300\0\100\200\300\0\100\200\300\0\100\200\300\0\100\200\300\0\100\200\300\0\100\200\300\0\100\200\300'; done; } > c.pam
cjpeg -quality 95 c.pam > c.jpg
djpeg -pam c.jpg | sed -n '4p;6p;6q'
djpeg -pam c.jpg | tail -c 4 | od -An -tu1 | awk '{ print 0 + ($1 < 4) + ($2 > 60 && $2 < 68) + ($3 > 124 && $3 < 132) + ($4 > 188 && $4 < 196) }'
djpeg c.jpg | tail -c 3 | od -An -tu1 | awk '{ print 0 + ($1 > 58 && $1 < 68) + ($2 > 42 && $2 < 52) + ($3 > 26 && $3 < 37) }'

echo '-- sizes'
for scale in 1/1 1/2 1/4 1/8; do djpeg -scale $scale a.jpg | sed -n '2p;2q'; done
djpeg -scale 1/8 a.jpg | tail -c +12 | od -An -v -tu1 -w3 | awk '{ print 0 + ($1 > 0) + ($2 > 20) + ($3 > 0) }' | uniq -c
printf 'P2\n1 17\n9\n1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8\n' | cjpeg > n.jpg
for scale in 1/2 1/4 1/8; do djpeg -scale $scale n.jpg | sed -n '2p;2q'; done

echo '-- tables'
yes 1 | head -n 64 > ones
cjpeg -qtables ones a.ppm > t.jpg; cjpeg -quality 100 a.ppm | cmp - t.jpg && echo same
cjpeg -qtables "$(tr '\n' ' ' < ones)" a.ppm | cmp - t.jpg && echo same
printf 'P5\n2 1\n65535\n\200\0\200\0' | cjpeg -quality 100 | djpeg | tail -c 2 | od -An -tu1
