# Extended patterns and dots; `**` more than once; brackets with quotes in regular expressions.
shopt -s extglob globstar nullglob
mkdir d; cd d; touch .foo bar .a
echo @(.foo) ; echo !(.foo); echo @(.foo|*); echo !(.foo|*); echo @(*) ; echo !(*); echo @(.*); echo !(bar); echo *(bar).foo ?(bar).foo @(?|.?)
shopt -s dotglob
echo @(.foo) ; echo !(.foo); echo @(.foo|*); echo !(.foo|*); echo @(*) ; echo !(*); echo !(.*); echo !(bar); echo @(?|.*)
shopt -u dotglob globskipdots
echo .*; echo @(.*); echo !(.*); echo @(.|..|bar); echo !(bar)
cd ..; rm -r d; mkdir -p a/a/a; shopt -s globskipdots
echo **; echo **/**; echo **/**/**; echo a/**; echo **/; echo **/a; mkdir -p b/x; touch b/f a/f
echo **/**; echo **/**/f; echo a/**/; echo a/**/**; echo ./**; echo **/*
touch '[ab' 'x(y'; echo @([ab|q); echo '['*
[[ "\\" =~ ["."] ]] && echo bad 1; [[ "\\" =~ [^]"."] ]] && echo ok 1; [[ dog =~ ['[=d=]'].. ]] && echo ok 2
[[ ']' =~ [']'] ]] && echo ok 3; [[ a =~ ['a]'] ]] || echo ok 4; [[ 'a]' =~ ['a]'] ]] && echo ok 5; [[ a.c =~ a"."c ]] && echo ok 6
[[ abc =~ a"."c ]] || echo ok 7; [[ x-y =~ [[:alpha:]"-"]+ ]] && echo "${BASH_REMATCH[0]}"; p='[x]'; [[ '[x]' =~ "$p" ]] && echo ok 8
