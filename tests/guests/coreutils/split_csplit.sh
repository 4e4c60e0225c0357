cd "$(mktemp -d)" || exit 1
seq 10 > f; split -l 4 f; ls; cat xab; split -b 5 f p; ls p* | head -2; split -n 2 f q; cat qaa qab | md5sum; md5sum < f; split -d -l 5 f n; ls n*; csplit -s f 4 8; wc -l xx0*; csplit -s -f part f '/5/'; head -1 part01; split -l 5 --additional-suffix=.txt f z; ls z*
