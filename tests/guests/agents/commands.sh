# more, timeout, install and similar programs, compared with the real programs. Each line runs on the same files; commands.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
more nonl
more words.txt | head -1
more +2 nonl
more -5 nonl
more nonl words.txt | head -8
cat nonl | more
more -n 5 nonl
more --nope nonl
more -s words.txt | wc -l
timeout 5 echo hi
timeout 1s true; timeout 1m true; timeout 1h true; timeout 0 true; echo $?
timeout 5 sh -c 'exit 7'
timeout --nope 1 true
install nonl new; ls -l new | cut -c 1-10
install -m 644 nonl new; ls -l new | cut -c 1-10
install -D nonl a/b/c; cat a/b/c
install -d x/y/z; find x
install -v nonl new
install -m 600 -d dir; ls -ld dir | cut -c 1-10
install nonl words.txt d1; ls d1
install -t d1 nonl; ls d1/nonl
install nonl
install
install nosuch new
install nonl words.txt nosuchdir
install -b nonl words.txt; ls words*
install --nope a b
install -m u=rw,g=r nonl new; ls -l new | cut -c 1-10
install -Dt a/b nonl; ls a/b
install -dv p/q
install d1 new
install -T nonl new; cat new | head -1
install -S .bak -b nonl words.txt; ls words*
END
