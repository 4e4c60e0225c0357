# a picture through cjpeg and djpeg keeps its size and nearly its colours; with more quality files are larger and colours nearer
cd "$(mktemp -d)" || exit 1
awk 'BEGIN {
    print "P3\n40 24\n255"
    for (y = 0; y < 24; y++) for (x = 0; x < 40; x++) print x * 6, y * 10, 100 + (x * x * 7 + y * 13 * x) % 97
}' > a.ppm
sed 1,3d a.ppm | tr ' ' '\n' > a.numbers
numbers() { tail -c "+$1" | od -An -v -tu1 | tr -s ' ' '\n' | sed '/^$/d'; }
distance() { paste a.numbers - | awk '{ d = $1 - $2; sum += d < 0 ? -d : d; count++ } END { print count, sum / count }'; }

for quality in 20 50 80 100; do
    cjpeg -quality $quality -sample 1x1 a.ppm > $quality.jpg
    wc -c < $quality.jpg >> sizes
    djpeg $quality.jpg | numbers 14 | distance >> distances
done
djpeg 80.jpg | head -n 3 | head -c 13
paste sizes distances | awk '{ if (NR > 1 && ($1 <= size || $3 >= distance)) bad = 1; size = $1; distance = $3 }
    END { print $2, bad ? "no" : "ever larger and nearer", distance < 2 ? "and close" : distance }'
file 80.jpg

# the coefficients are the same whatever the order they are sent in, so the pixels are; of every sampling
for sample in 1x1 2x1 1x2 2x2 4x1; do
    cjpeg -sample $sample a.ppm | djpeg > plain
    for options in -optimize -progressive '-progressive -optimize' '-restart 1' '-restart 3B' '-progressive -restart 3B'; do
        cjpeg -sample $sample $options a.ppm | djpeg | cmp - plain || echo "differs: $sample $options"
    done
done
[ "$(cjpeg -optimize a.ppm | wc -c)" -lt "$(cjpeg a.ppm | wc -c)" ] && echo 'optimized is smaller'

# from standard input or a file, to standard output or a file; words in short
cjpeg -q 50 < a.ppm > b.jpg; cjpeg --QUAL 50 -outf c.jpg a.ppm; cmp b.jpg c.jpg && djpeg -out c.ppm c.jpg && djpeg - < c.jpg | cmp - c.ppm && echo same
