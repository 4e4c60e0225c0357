cd "$(mktemp -d)" || exit 1
exec 2>&1; printf '%s\n' 'a b' foobar 'a*b' 'a{x' 'tab	t' '12.5' > f
for p in '\h' '\H+$' '\N{2}' '\Qa*b\E' '\Q*' 'a{x' 'a{,3}x' '[[:digit:]]+' '[]*]' '(?#c)foo' 'o\Kbar' 'foo(?=bar)' '(?<!o)b' '\x66oo' '\R' '\v' '(o)\1' '(?<n>o)\k<n>' 'a++' '(?i)FOO' '[\h]' '\.' '\/' '\e' '[a-c]{2,}?' '\p{L}{3}' ; do echo "[$p]"; grep -oP "$p" f; done
for p in '(' ')' '[' 'a\' '*' 'a|+' 'a{2,1}' 'x{99999}' '[[:foo:]]'; do echo "[$p]"; grep -P "$p" f; echo $?; done; grep -P -e a -e b f; echo $?; grep -P -E a f; echo $?; grep -E '+a|*b|(?c)|{1}' f | head -1
