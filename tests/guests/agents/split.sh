# split and csplit. Each line runs on the same files; split.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
. /mnt/cases/more
while IFS= read -r line; do try "$line"; done <<'END'
csplit s10 5; head x*
csplit s10 /5/; ls x*
csplit s10 '/5/+1' '{1}'
csplit -s s100 '/0$/' '{*}'; wc -l x*
csplit -k s10 20; ls x*
csplit s10 20; ls x*
csplit s10 /nope/; ls x*
csplit s10 '%5%'; head x*
csplit s10 '%5%-1' 8; head x*
csplit -f out -b '%03d.txt' s10 3 6; ls out*
csplit -n 3 s10 3; ls x*
csplit -z s10 1 1
csplit -z s10 '/1/' '{*}'; ls x*
csplit --suppress-matched s10 /5/; head x*
csplit --suppress-matched s10 3 '{1}'; head x*
csplit s10 3 3
csplit s10 5 3
csplit s10 0
csplit s10 x
csplit s10
csplit
csplit nope 3
csplit s10 '/\(/'
csplit s10 '/5'
csplit s10 '/5/x'
csplit s10 3 '{x}'
csplit s10 3 '{5}'
csplit s10 '{2}'
csplit -n x s10 3
csplit -b '%d%d' s10 3
csplit - 3 < s10; ls x*
csplit conf.ini '/^\[/' '{*}'; head x*
csplit -q conf.ini '/^\[/' '{1}'; head x*
csplit s10 '/3/' '/2/'
csplit s10 '/5/-9'
csplit s10 '/5/+20'
csplit -b '%x' s10 2 4 6 8; ls x*
csplit --nope s10 3
split -n r/3 s10; head x*
split -n 3 s10; head x*
split -n l/3 s10; head x*
split -n 2/3 s10
split -n l/2/3 s10
split -n r/2/3 s10
split -n r/100 s10; ls x* | wc -l; cat xaj
split -n 0 s10
split -n x s10
split -n 3/2 s10
split -n l/0 s10
split -n l/3 -e s10; ls
split -n 20 -e nonl; ls x*
split -n 20 nonl; ls x* | wc -l
split -n 3 -d s10 p; ls p*
split -n 3 --numeric-suffixes=8 s10 p; ls p*
split -l 0 s10
split -l x s10
split -b 0 s10
split -b 1K s100; ls x*; wc -c x*
split -b 10b s100; ls x*
split -C 10 s100; ls x* | wc -l; cat xaa
split -a 0 -l 50 s100; ls x*
split -a 1 -n 30 s100
split -l 5 nope
split -l 5 d1
split -x -l 1 s100; ls x* | tail -2
split -t a -l 1 words.txt; ls x* | wc -l
split -t '\0' -l 2 bin.dat; ls x*
split -t ab -l 1 words.txt
split -l 5 s10 a b c
split -5 s10; ls x*
split -5 -3 s10; ls x*
split -l 5 -b 3 s10
split -l 5 --additional-suffix=/x s10
split -n l/3 - < s10; wc -l x*
split -n 3 --filter='cat > $FILE.z' s10; ls *.z
split --suffix-length=3 -l 3 s10 out_; ls out*
split -l 3 --hex-suffixes=10 s10; ls x*
split -l 3 -d -a 4 s10; ls x*
split -b 3 -n 2 s10
split -n
END
