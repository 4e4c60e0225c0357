# Scripts of ed as agents and Makefiles type them. Each line runs on the same files; ed.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
printf '%s\n' ',s/line/LINE/' w q | ed -s o.txt; head -3 o.txt
printf '%s\n' 1d w q | ed o.txt; head -2 o.txt
printf '%s\n' '1,3p' '$p' '$=' q | ed -s o.txt
printf '%s\n' '2a' new 'two lines' . ,n Q | ed -s conf.ini
printf '%s\n' '1i' '# head' . wq | ed -s conf.ini; head -2 conf.ini
printf '%s\n' '/\[db\]/+1c' user=admin . w q | ed -s conf.ini; tail -2 conf.ini
printf '%s\n' 'g/^#/d' w q | ed -s conf.ini; cat conf.ini
printf '%s\n' 'g/^$/d' ,p Q | ed -s words.txt
printf '%s\n' 'v/=/d' ,p Q | ed -s words.txt
printf '%s\n' 'g/foo/s/=/ := /p' Q | ed -s words.txt
printf '%s\n' 'g/foo/m0' ,p Q | ed -s words.txt
printf '%s\n' '/key/t$' '$p' Q | ed -s words.txt
printf '%s\n' '1,2j' 1p Q | ed -s words.txt
printf '%s\n' '/host/;/pass/p' q | ed -s conf.ini
printf '%s\n' '?db?' '?main?' q | ed -s conf.ini
printf '%s\n' 'kx' "1,'xp" q | ed -s nonl
ed -s o.txt <<< $'5,$d\n,p\nw\nq'; wc -l o.txt
ed -s o.txt <<< $'H\nfoo\n2p\nq'
ed -s o.txt <<< $'/nothing/p\nh\nq'
ed -s o.txt <<< $'99p\nh'
ed -sv o.txt <<< $'s/x/y/\nq'
ed nosuch <<< $'a\nhello\n.\nw\nq'; cat nosuch
ed -s nosuch <<< q
ed nonl <<< $'w\nq'; wc -l nonl
ed -s nonl <<< $'1d\nq\nq'; cat nonl
ed -s nonl <<< $'1d\nQ'; cat nonl
printf '1d\n' | ed -s nonl; cat nonl
printf 'zz\n1p\n' > script; ed -s nonl < script
printf 'a\nx\n.\n,p\nu\n,p\nu\n,p\nQ\n' | ed -s nonl
printf '1,2s/$/\\\n--/\n,p\nQ\n' | ed -s nonl
printf 'g/o/a\\\nafter\\\n.\\\ns/after/AFTER/\n,p\nQ\n' | ed -s nonl
printf 's/\\(t\\)\\(h\\)/\\2\\1/\np\nQ\n' | ed -s nonl
printf '1s/n/&&/\n2s/o/%%/p\nQ\n' | ed -s nonl
printf ',s/o/0/g\n,p\nQ\n' | ed -s nonl
printf '1s/o/0/p\n2s\np\nQ\n' | ed -s nonl
printf '1l\n3l\nq\n' | ed -s data.tsv
printf 'r !echo from the shell\n$p\nw !cat -n\nQ\n' | ed -s nonl
printf '!echo %%\n!!\nq\n' | ed nonl
printf 'r nonl\n0r nonl\n,n\nQ\n' | ed -s nonl
printf '2,3w out\n1W out\n!cat out\nq\n' | ed -s nonl
printf 'f\nf other\nf\nq\n' | ed -s nonl
printf 'e conf.ini\n1p\nE nonl\n1p\nq\n' | ed -s nonl
printf '1,2y\n$x\n,p\nQ\n' | ed -s nonl
printf '1z3\nz\nq\n' | ed -s o.txt
printf '\n\n+2\n-\nq\n' | ed -s conf.ini
printf 'P\n1p\nP\nq\n' | ed -s nonl
printf '1p\nq\n' | ed -s -p '> ' nonl
printf '1,2m$\n,p\n3m0\n,p\nQ\n' | ed -s nonl
printf '$r /etc/nosuch\nq\n' | ed -s nonl
printf 'w /nosuch/file\nq\n' | ed -s nonl
printf 's/(a|o)/X/p\nQ\n' | ed -sE nonl
printf '1s/O/x/I\n1p\nQ\n' | ed -s nonl
printf '/[/]/p\ns/[/x/\nh\nq\n' | ed -sv words.txt
printf 'H\nk1\n1m1,2\n2,1p\n5k\n1p 2\nq\n' | ed -s nonl
printf ',d\nw\nq\n' | ed nonl; wc -c nonl
printf 'G/o/\ns/o/0/\n&\n,p\nQ\n' | ed -s nonl
printf 'V/o/\np\n,p\nQ\n' | ed -s nonl
diff -e d1/b.txt d2/b.txt | { cat; echo w; } | ed -s d1/b.txt; cat d1/b.txt
printf '1p\nq\n' | ed -s '!echo out of a command'
printf '1p\nw\nq\n' | ed -l nosuchdir/x
printf '1p\n1d\nw\n' | ed - nonl; cat nonl
ed -X
END
