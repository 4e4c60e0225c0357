# A backslash before a newline joins lines everywhere except in single quotes, even within operators, names and reserved words.
true &\
& echo and
false |\
| echo or
echo piped |\
& cat
ca\
se x i\
n x) echo case;\
; esac
i\
f tr\
ue; th\
en echo "i\
f"; fi
na\
me=va\
lue ot\
her+\
=2 third=3
echo $name $na\
me ${na\
me} ${\
name} ${#\
name} ${name%\
%e} ${name:\
-x} "$\
{\
name\
}" ${name/\
l/L}
set -- a b c d e f g h i ten
echo $\
1 ${\
10} $\
# $\
{#} ${\
#\
1}
echo $(\
( 1 + \
2 )\
) $\
(echo sub\
stitution) $\
[ 4\
2 ]
(\
( name2 = 5 )) && echo $name2
cat <\
<E\
OF
he\
re
EO\
F
cat <<\
- EOF
	stripped
EOF
cat <\
<\
< "a string"
echo out >\
> file 2>\
&1
cat fi\
le
[\
[ a == a &\
& ! b == a ]\
] && echo cond
f\
() { echo func\
tion; }
f
echo 'single\
quotes stay' $'ansi\
stay too' "double\
go" `echo back\
tick`
f2() { local x\
y=1; echo "a\
b" tr\
ue; }
declare -f f2
for ((i=0;\
i<2;\
i++)); do echo $i; done
fo\
r w i\
n a b; do echo $w; done
a[\
1]=x; echo ${a[\
1]} ${a[@\
]}
: $((x =\
= 0 ? (y +\
= 3) : 1)); echo $y
echo end\
