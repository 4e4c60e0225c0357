# ln. Each line runs on the same files; ln.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
. /mnt/cases/more
while IFS= read -r line; do try "$line"; done <<'END'
ln -s s10 l2; readlink l2
ln -s s10 lnk
ln -sf s100 lnk; readlink lnk
ln -sr d1/a.txt d2/l; readlink d2/l
ln -sr s10 d1/sub/l; readlink d1/sub/l
ln -r s10 l3
ln s10 h; stat -c %h s10
ln nope h
ln d1 h
ln -s
ln -s a b c
ln -s a b d1; ls -1 d1
ln -s a.txt d1/link
ln -sfn s10 lnk; readlink lnk
ln -sfn d2 ldir; ln -sfn d1 ldir; readlink ldir; ls d1
ln -sf d2 ldir; ln -sf s10 ldir; readlink ldir; ls d2
ln -st d1 ../s10 ../s100; readlink d1/s100
ln -sv s10 l9
ln -v s10 l9
ln -sb s10 lnk; ls lnk*
ln -s --backup=numbered s10 lnk; ls lnk*
ln -s -S .bak s10 lnk; ls lnk*
ln -sT s10 d1
ln s10 s10
ln -f s10 s10
ln -sf l l; readlink l
ln -s x ''
ln -L lnk h; stat -c %F h
ln -P lnk h; stat -c %F h
ln -i s10 s100
ln -srv d1/a.txt d2/sub/
END
