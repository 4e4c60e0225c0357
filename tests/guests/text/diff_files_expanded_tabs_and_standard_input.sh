cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
export TZ=UTC
printf 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n' > a; printf 'a\nB\nc\nd\ne\nf\ng\nh\nnew\ni\nj\n' > b; printf 'a\nb\nc' > c; printf '' > e; printf 'x  y\n\nz\n' > s1; printf 'x y \nz\n\n' > s2; printf 'A\nb\nC\n' > ic; printf 'one\ntwo\nthree\n' > n1; printf 'one\n\ttwo\nthree\n' > n2; printf 'int main() {\n 1\n 2\n 3\n 4\n 5\n}\nint f() {\n x\n y\n z\n w\n}\n' > p1; sed 's/ w/ q/' p1 > p2; printf 'a\r\nb\r\n' > cr; printf 'a\nb\n' > nocr; printf 'b\0c' > bin1; printf 'b\0d' > bin2
mkdir -p d1/sub d2/sub d1/only; echo 1 > d1/x; echo 2 > d2/x; echo s > d1/sub/f; echo t > d2/sub/f; echo same > d1/same; echo same > d2/same; echo n > d2/new; echo o > d1/only/o; mkdir d1/k; echo > d2/k; echo log > d1/a.log; touch -d '2024-01-02 03:04:05.678' a b c e s1 s2 ic n1 n2 p1 p2 cr nocr; find d1 d2 -exec touch -d '2024-01-02 03:04:05' {} +
r 'diff' '-t' 'n1' 'n2'
r 'diff' '-T' 'n1' 'n2'
r 'diff' '-I' '^B' 'a' 'b'
printf %s $'a\nB\nc\nd\ne\nf\ng\nh\nnew\ni\nj\n' | r 'diff' '-' 'a'
