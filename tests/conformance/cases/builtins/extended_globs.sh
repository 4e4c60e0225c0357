exec 2>&1
shopt -s extglob; touch a.c b.c c.h ab.c; echo !(*.c) @(a|b).c +([a-b]).c ?(a)b.c *(a|b).c; case abc in +([a-c])) echo m;; esac; x=foobar; echo ${x/+(o)/X} ${x##*(f|o)}; [[ abc == !(x*) ]] && echo ok
