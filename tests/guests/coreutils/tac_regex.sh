# separators that overlap, that are empty, Emacs' expressions
cd "$(mktemp -d)" || exit
printf 'a\nb\nc\n' | tac -r -s '^'; printf 'axyzbxyc' | tac -r -s '[xyz]+'; echo; printf 'aaa\nbbb\nccc\nabc' | tac -r -s 'b$' | od -c
printf 'xxxa' | tac -s xx; echo; printf 'xxxa' | tac -b -s xx; echo; printf 'a12b3c' | tac -r -s '[0-9]*'; echo; printf 'a+b+c+' | tac -r -s '\+'; echo
seq 2000 | tac -r -s '[0-5]+' | cksum; seq 5 | tr -d '\n' | tac -r -s x; echo
