export LC_ALL=C TZ=UTC0
cd "$(mktemp -d)" || exit 1
echo '# dc: digits of a number, long lines, powers modulo'
echo '_5.30Zp 0.000Zp 1000Zp .5Zp 00.0120Zp 0Zp' | dc; echo '2 240^p' | dc 2> /dev/null; echo '3 4 5|p _3 3 5|p 3 4 _5|p' | dc
echo 'sqrt(1);sqrt(1.00);sqrt(0);sqrt(4);sqrt(2.25)' | bc -l
echo '# xxd -r: at most a line of bytes, blanks in front'
printf '  00000000: 7468 6973 2069\n 00000006: 740a  t.\n' | xxd -r; printf '0: 40404040404040404040404040404040404040404040\n' | xxd -r; echo; printf '0: 4040404040404040\n' | xxd -r -c 4; echo
echo '# rev and a dash, diff with itself, folders with slashes'
echo abc > f; echo zero | rev - f 2>&1; echo "$?"; echo def > ./-; rev - 2>&1
echo in | { diff - -; echo "$?"; cat; }
mkdir d e; echo 1 > d/x; echo 2 > e/x; diff -r d/// .//e//; diff -q d/ e////
