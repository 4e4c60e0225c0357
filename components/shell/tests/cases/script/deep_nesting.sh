x=a; if true; then for i in 1; do while true; do case a in a) { ( if [[ a == a ]]; then echo deep $((1+$(echo 2))) "${x:-"$(echo q)"}"; fi ); };; esac; break; done; done; fi
