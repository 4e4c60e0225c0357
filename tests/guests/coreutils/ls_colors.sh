# LS_COLORS: every kind of key, links and suffixes, clearing the rest of a line
cd "$(mktemp -d)" || exit
mkdir d; touch a f.tar F.TAR; ln -s a l; ln -s nope dang; touch x; chmod +x x; chmod 1777 d
show() { LS_COLORS=$1 ls --color "${@:2}" | cat -v | grep -v 'total'; echo --; }
show 'di=3:ex=4:*.tar=31:ln=36'
show 'no=1:fi=2:di=3:ln=target:or=31:mi=32'
show 'no=1:fi=2:di=3:or=31:mi=32:ec=:lc=L:rc=R' -og --time-style=+T
show 'ln=target:or=:mi=5' -og --time-style=+T
show '*.tar=1:tw=7' -x
show 'di=\e[1^[\x41\101:ex=0' -m
LS_COLORS=xx=1 ls --color 2>&1
unset LS_COLORS; TERM=xterm ls --color d a l x | cat -v; TERM=dumb ls --color=always d
