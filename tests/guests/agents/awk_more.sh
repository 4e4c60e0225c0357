# awk, compared with the real programs. Each line runs on the same files; awk_more.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
awk 'BEGIN{printf "%c%c%c\n", 65, "hello", 256}'
awk 'BEGIN{printf "%c", ""}' | od -c
awk 'BEGIN{printf "%5.2f|%-5d|%05d|%+d|% d|%x|%X|%o|%e|%g\n", 3.14159, 42, 42, 42, 42, 255, 255, 8, 12345.678, 0.0001}'
awk 'BEGIN{printf "%s %d %i\n", "3abc", "3abc", 3.99}'
awk 'BEGIN{printf "%*d|%-*d|%.*f\n", 5, 42, 5, 42, 2, 3.14159}'
awk 'BEGIN{printf "%5s|%-5s|%.2s\n", "abc", "abc", "abc"}'
awk 'BEGIN{printf "%d %s\n", 1}'
awk 'BEGIN{printf "%%|%5%|\n"}'
awk 'BEGIN{printf "%u %d\n", -1, 2^53+1}'
awk 'BEGIN{printf "%d %d\n", 1e18, 1e30}'
awk 'BEGIN{printf "%2$s %1$s\n", "a", "b"}'
awk "BEGIN{printf \"%'d\n\", 1234567}"
awk 'BEGIN{printf "%#x %#o %a\n", 255, 8, 1}'
awk 'BEGIN{print 1e6, 1e5*10, 1000000, 0.1+0.2, 1e300*1e300, -log(0), log(-1)}'
awk 'BEGIN{print 100000000000000000000, 2^53, 2^53+1, 1/3, 3.0, "3.0"+0}'
awk 'BEGIN{OFMT="%.2f"; print 3.14159, 3; x=3.14159; print x ""; CONVFMT="%.3f"; print x ""}'
awk 'BEGIN{print length(), length("été"), length(12345)}' 
awk '{print length}' words.txt
awk 'BEGIN{while((getline line < "nonl")>0) print NR, line; close("nonl")}'
awk 'BEGIN{while(("echo a; echo b" | getline x)>0) print x}'
awk 'BEGIN{"date +%Y" | getline y; print (y>2000)}'
awk 'BEGIN{getline; print "got " $0}' nonl
awk 'NR==1{getline; print} NR==2{getline x; print x, NR}' nonl
awk 'BEGIN{print (getline x < "nosuch")}'
awk 'BEGIN{a[1];a[2];delete a[1];print length(a); delete a; print length(a)}'
awk 'BEGIN{a["x"]=1; if ("x" in a) print "in"; if (!("y" in a)) print "out"; print length(a)}'
awk 'BEGIN{a[1,2]=3; for (k in a) {split(k,p,SUBSEP); print p[1], p[2]}; if ((1,2) in a) print "yes"}'
awk -v RS='' '{print NR": "$1" "NF}' words.txt
awk -v RS='' -F'\n' '{print NR": "$1}' words.txt
awk 'BEGIN{RS=""}{print NR; for(i=1;i<=NF;i++) print i, $i}' crlf.txt | od -c | head
awk -v RS='[0-9]+' '{print $0 "|" RT}' <<< 'a1b22c333d'
awk -v RS=';' '{print NR, $0}' <<< 'a;b;c'
awk -v RS='\r\n' '{print $1}' crlf.txt
awk -v RS='^$' '{print length}' words.txt
awk -F' ' '{print $2}' <<< '  a   b  '
awk -F'[ ]' '{print NF": "$2}' <<< '  a   b  '
awk -Ft '{print $1}' <<< 'atb	c'
awk -F, -v OFS=';' '{$1=$1}1' data.csv
awk -F'|' '{print $2}' <<< 'a|b|c'
awk -F. '{print $2}' <<< 'a.b.c'
awk -F'\\|' '{print $2}' <<< 'a|b|c'
awk -F', *' '{print $2}' <<< 'a,   b, c'
awk -F '[:=]' '{print $2}' words.txt
awk -v FIELDWIDTHS='3 2 *' '{print $1"|"$2"|"$3}' words.txt | head -2
awk 'BEGIN{print strftime("%Y-%m-%d", 0, 1), mktime("2024 01 02 03 04 05"), strftime("%j %A %B %H:%M:%S", 86400*45)}'
awk 'BEGIN{n=split("c a b",a); asort(a); for(i=1;i<=n;i++) printf "%s ", a[i]; print ""}'
awk 'BEGIN{a["x"]=3;a["y"]=1; n=asorti(a,b); print n, b[1], b[2]; asort(a,c,"@val_num_desc"); print c[1]}'
awk 'BEGIN{if (match("foo123bar", /([a-z]+)([0-9]+)/, m)) print RSTART, RLENGTH, m[1], m[2], m[0], m[1,"start"], m[2,"length"]}'
awk 'BEGIN{print match("abc","z"), RSTART, RLENGTH}'
awk 'BEGIN{print gensub(/(a)(b)/, "<\\2\\1>", "g", "abxab"), gensub(/a/, "X", 2, "aaa")}'
awk 'BEGIN{s="aaa"; n=gsub(/a/,"[&]",s); print n, s; t="a.b"; gsub(".", "x", t); print t; u="a&b"; sub(/a/, "\\&", u); print u}'
awk 'BEGIN{s="hello"; print substr(s,2,3), substr(s,0), substr(s,-1,3), substr(s,4,100), index(s,"l"), toupper(s), tolower("ABC")}'
awk 'BEGIN{print x+0, x "", length(x), (x==0), (x=="")}'
awk 'BEGIN{print "10"<"9", 10<9, "abc"<"abd", "a"<1}'
echo '10 9' | awk '{print ($1<$2), ($1<"9")}'
awk 'BEGIN{print 1==1.0, "1"==1, "1.0"==1, "a"=="A"}'
awk 'BEGIN{print 7%3, -7%3, 2**3, 2^3^2, -2^2, !0, !"", !"a", 1 - -1, 1 " " -1}'
awk 'BEGIN{print int(3.9), int(-3.9), int("3x"), sqrt(16), exp(0), sin(0), atan2(0,-1)}'
awk 'BEGIN{srand(1); a=rand(); srand(1); b=rand(); print (a==b), srand(5), srand()}'
awk '{print > "out_" NR ".txt"}' nonl; ls out_*; cat out_2.txt
awk '{print | "sort -r"}' nonl
awk '{print $1 | "sort"; close("sort")}' nonl
awk 'BEGIN{print "a" > "/dev/stderr"; print "b" > "/dev/stdout"}'
awk '{print >> "app.txt"} END{close("app.txt"); while((getline l < "app.txt")>0) print "r:" l}' nonl
awk 'BEGIN{r=system("exit 3"); print r; system("echo hi")}'
awk 'BEGIN{print "x" | "cat 1>&2"}'
awk 'BEGIN{printf "a\n" | "cat"; close("cat"); print "b"}'
awk 'BEGIN{cmd="cat"; print "x" |& cmd; close(cmd,"to"); cmd |& getline y; print y}'
awk 'BEGIN{print close("nosuch")}'
awk 'BEGIN{exit 3}'
awk 'BEGIN{exit} END{print "end"}'
awk '{exit 2} END{print NR}' nonl
awk 'BEGIN{print 1' 
awk '{print $1'  words.txt
awk 'BEGIN{print foo(1)}'
awk 'BEGIN{x = 1 +}'
awk 'BEGIN{getline x < }'
awk '/a' words.txt
awk '/[/' words.txt
awk 'BEGIN { if (1 print "x" }'
awk '}' 
awk '' words.txt
awk '{print}' nosuch
awk '{print}' nosuch nonl
awk '{print}' d1
awk -f nosuch.awk
awk -f <(echo '{print NR}') nonl
awk -v x=1 -v y='a\tb' 'BEGIN{print x, y}'
awk -v 1x=1 'BEGIN{print}'
awk '{print x}' x=5 nonl x=6 nonl
awk 'BEGIN{print 1/0}'
awk 'BEGIN{print 1%0}'
awk 'BEGIN{print substr("hello")}'
awk 'BEGIN{print length(1,2)}'
awk 'BEGIN{a[1]=1; print a}'
awk 'BEGIN{a=1; a[1]=2}'
awk 'function f(x){x[1]=1} BEGIN{f(y); print y[1]}'
awk 'function f(n){return n<=1?1:n*f(n-1)} BEGIN{print f(10)}'
awk 'function f(a,b,  c){c=a+b; return c} BEGIN{print f(1,2)}'
awk 'function f(f){}' 
awk 'BEGIN{$3="x"; print; print NF}'
awk '{NF=2}1' words.txt | head -3
awk '{$7="x"}1' <<< 'a b'
awk '{$0="x y z"; print $2, NF}' <<< 'a b'
awk '{print $NF, $(NF-1)}' <<< 'a b c'
awk '{print $(-1)}' <<< 'a'
awk '{print NF; NF=-1}' <<< 'a'
awk 'NR==2,NR==4' o.txt
awk '/3/,/5/' o.txt | head -4
awk 'NR%2' nonl
awk 'END{print NR, $0}' nonl
awk '!seen[$0]++' lines.json
awk 'FNR==NR{a[$1]=1;next} $1 in a' nonl nonl
awk 'FNR==1{print FILENAME}' nonl words.txt
awk 'NR==1{nextfile} {print FILENAME}' nonl words.txt | head -2
awk 'BEGIN{for(i=0;i<5;i++){if(i==1)continue;if(i==3)break;print i}}'
awk 'BEGIN{do{i++}while(i<5);print i}'
awk 'BEGIN{switch("b"){case "a": print 1; case /b/: print 2; break; default: print 3}}'
awk 'BEGIN{print "a" "b" > "/dev/null"; print "c"}'
awk 'BEGIN{print -1 " " -1; print 1 -1; x="A" 1+2; print x}'
awk 'BEGIN{print 1,2 > "/dev/stdout"; print(1,2)}'
awk 'BEGIN{print (1,2) in a}'
awk 'BEGIN{print "a\tb\\n\x41\101\/"}'
awk 'BEGIN{print "\q"}'
awk 'BEGIN{print "a\
b"}'
awk 'BEGIN { printf("%s\n", "x") ; printf "no newline" }'
awk '/foo/{print NR": "$0}/bar/{print "bar"}' words.txt
awk '$1 ~ /^[0-9]+$/ && $1 > 5' nums.txt
awk '{s+=$1} END{print s}' nums.txt
awk '{print $1+0}' nums.txt
awk '$1==0{print NR}' nums.txt
awk '{a[NR]=$0} END{for(i=NR;i>0;i--)print a[i]}' nonl
awk 'BEGIN{IGNORECASE=1} /THE/' words.txt
awk 'BEGIN{print toupper(substr("abc",1,1)) substr("abc",2)}'
awk 'BEGIN{print strtonum("0x1F"), strtonum("017"), and(12,10), or(12,10), xor(12,10), lshift(1,4), rshift(16,2), compl(0)}'
awk 'BEGIN{print 0x10, 011, 1e3}'
awk -n 'BEGIN{print "0x10"+0}'
awk 'BEGIN{n=split("a1b2c",p,/[0-9]/,s); print n, p[3], s[1], s[2]}'
awk 'BEGIN{n=patsplit("a1b2c",p,/[0-9]/); print n, p[1]}'
awk 'BEGIN{print split("",a), split("abc",b,""), b[2], split(" a  b ",c), c[1]}'
awk 'BEGIN{@f="x"}'
awk 'function g(x){return x*2} BEGIN{f="g"; print @f(4)}'
awk 'BEGIN{a[1][2]=3; print a[1][2]; for(i in a) for(j in a[i]) print i,j}'
awk 'BEGINFILE{print "start", FILENAME} ENDFILE{print "end", FNR}' nonl
awk 'BEGINFILE{if (ERRNO) {print "skip", FILENAME; nextfile}} {print}' nosuch nonl
awk -i inplace '{print toupper($0)}' nonl; cat nonl
awk -e 'BEGIN{print 1}' -e 'END{print 2}' nonl
awk -F: -f /dev/stdin words.txt <<< '{print $1}' | head -2
awk --posix 'BEGIN{print length("abc")}'
awk -S 'BEGIN{system("echo x")}'
awk --sandbox 'BEGIN{print "x" > "f"}'
awk -b 'BEGIN{print length("é")}'
awk -l filefuncs 'BEGIN{print 1}'
awk '{ gsub(/[ \t]+$/, ""); print }' words.txt | head -3
awk '{ sub(/^[ \t]+/, ""); print }' words.txt | tail -7 | head -1
awk '{print gensub(/([a-z]+) ([a-z]+)/, "\\2 \\1", 1)}' words.txt | head -1
awk '/\yfoo\y/' words.txt
awk '/o{2}/' words.txt
awk '/(foo|bar) ?=/' words.txt
awk '/[[:upper:]]/' words.txt
awk '/\./' words.txt
awk '$0 ~ "\\."' words.txt
awk '$0 ~ "a\.b"' words.txt
awk 'BEGIN{print index("foo","o"), "a" ~ "A", "x" !~ /x/}'
awk 'BEGIN { while (i++ < 3) print i; print i-- + --i }'
awk 'BEGIN{print 1>2 ? "a" : "b"}'; cat 2* 2>/dev/null
awk 'BEGIN{print (1>2) ? "a" : "b"}'
awk 'BEGIN{a="x"; a=a a a; print a; print 1 2, 3 4}'
awk 'BEGIN{printf "%s"}' 
awk 'BEGIN{print; print $0; print NF}'
awk 'BEGIN{print substr("hello", 1.5, 2.5), substr("héllo",2,1)}'
printf 'a b\0c d\0' | awk -v RS='\0' '{print $2}'
printf 'x' | awk '{print NR, $0}'
awk 'BEGIN{printf "%s %s %s\n", 1e15, 1e16, 123456789012}'
awk 'BEGIN{print 1e15, 1e16, 1e17, 123456789.123, 0.000001, 1e-7, -0, 017}'
awk 'BEGIN{print substr("x",1,-1) "|", 5 " " 5.0 " " "5.0", 1e0 ""}'
awk 'BEGIN{x["a"]; print ("a" in x), length(x); f(x)} function f(y){delete y["a"]; print length(y)}'
awk '{ $2 = ""; print }' <<< 'a b c'
awk '{$1=$1};1' <<< '  a   b  '
awk -F, '{print $1 FS $2}' data.csv
awk 'NF' words.txt | wc -l
awk 'length > 15' words.txt
awk 'length($0) > 15 {print FILENAME ":" FNR}' words.txt
awk 'BEGIN{OFS="-"; $0="a b c"; $1=$1; print; print $1,$2}'
awk 'BEGIN{ORS=" | "} {print}' nonl
awk 'BEGIN{getline l < "-"; print l}' <<< stdin
awk '{print toupper}' nonl
awk 'BEGIN{return 1}'
awk 'BEGIN{next}'
awk 'function f(x) { print x } BEGIN { f(1, 2) }'
awk 'func f(x) {print x} BEGIN{f(3)}'
awk 'BEGIN { "echo 1 2" | getline; print $2, NR }'
awk 'BEGIN { x["a"]=1; delete x; x=2; print x}' 
awk '
BEGIN { x = 1   # c
  if (x)
    print "y"
  else
    print "n"
}'
awk '{print FNR": "$0}' <(echo a) <(echo b)
sed p <(echo a)
awk 'BEGIN { if (x ~ /foo) print }'
awk 'BEGIN{print "abc}'
awk 'BEGIN{print substr("a")}'
awk 'BEGIN{for(i=0;i<3 i++) print}'
awk '{print $1 "abc" else}'
awk 'function f(f){}'
awk 'BEGIN{return}'
awk "BEGIN{print 'x'}"
END
