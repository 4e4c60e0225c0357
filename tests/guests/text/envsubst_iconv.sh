# envsubst: names, braces, text that is not a variable; only the listed variables
export NAME=value OTHER=other; unset NOPE
t() { "$@" 2>&1; echo "-> $?"; }
t envsubst <<<'$NAME ${NAME} $NOPE. ${NOPE}. $ $1 ${1} ${NAME ${NAME:-x} $NAMEx ${NAME}y \$NAME $$NAME'
t envsubst '$NAME' <<<'$NAME $OTHER'; t envsubst -v 'a $NAME ${OTHER}b $1 $NAME'; t envsubst '$NAME' more; t envsubst -v
# iconv: both directions, characters that cannot be converted
printf 'caf\xe9 \x80\n' > l1; printf 'café €\n' > u8; printf 'a\xffb\n' > bad; printf 'ab\xc3' > inc
c() { "$@" 2>&1 | od -An -tx1; echo "-> ${PIPESTATUS[0]}"; }
c iconv -f latin1 -t utf8 l1; c iconv -f UTF-8 -t ISO-8859-15 u8; c iconv -f cp1252 -t utf-8 l1
c iconv -t utf-16 u8; c iconv -t UTF-16BE u8; c iconv -t utf-32 u8; c iconv -f utf-8 -t ascii//TRANSLIT u8; c iconv -c -f utf-8 -t ascii u8
c iconv -c -f utf8 -t utf8 bad; iconv -t utf-16le u8 > u16; c iconv -f utf-16le -t utf-8 u16; c iconv -t utf-8 -f latin1 l1 u8
iconv -f latin1 -t utf8 -o out l1; od -An -tx1 out; c iconv -f latin1 < l1
for args in '-f utf8 -t latin1 u8' '-f utf-8 -t ascii u8' '-f utf8 -t utf8 bad' '-f utf8 -t utf8 inc' '-f utf8 -t utf8 nofile'; do iconv $args 2>&1 >/dev/null; echo "-> $?"; done
