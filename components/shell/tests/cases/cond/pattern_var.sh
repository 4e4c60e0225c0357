p='a*'; [[ abc == $p ]] && echo glob; [[ abc == "$p" ]] || echo lit; [[ "a*" == "$p" ]] && echo lit2; [[ a.b == *.b ]] && echo suf; [[ file.tar.gz == *.@(gz|bz2) ]] && echo ext
