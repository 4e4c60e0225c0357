touch -d '2020-01-01' old; touch new; [[ new -nt old ]] && echo nt; [[ old -ot new ]] && echo ot; [[ new -ef new ]] && echo ef; [ new -nt old ] && echo nt2
