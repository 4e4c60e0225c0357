shopt -s extglob
touch a.c b.h cc.c ab abab
echo *.@(c|h); echo !(*.c); echo +(ab); echo ?(a)b; echo *(c).c
