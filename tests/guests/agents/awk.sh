# One-liners of awk that agents type. Each line runs on the same files; awk.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
awk -F, -v OFS='\t' 'NR>1{print $2,$3*$4}' data.csv
awk -v FPAT='([^,]+)|("[^"]+")' '{print $2}' data.csv
awk '{ $2=""; print }' words.txt
awk 'NR==FNR{a[$1]=$2;next} $1 in a{print $1,a[$1]}' data.tsv data.tsv
awk 'length>20' words.txt
awk '/The end/{f=1} f' words.txt
awk '{gsub(/o+/,"[&]"); print}' words.txt
awk '{print toupper(substr($0,1,1)) substr($0,2)}' words.txt
awk 'BEGIN{RS=""}{print NR": "$1; print NF}' words.txt
awk 'BEGIN{RS="[,\n]"; ORS="|"}{print}' data.csv
awk '{print RT}' RS='o|e' words.txt | od -c | head
awk 'BEGIN{printf "%s %d %5.2f %e %g %x %o %c %c %%\n","a",3.9,3.14159,12345.678,0.0001,255,8,65,"hello"}'
awk 'BEGIN{print 1e6, 1e20, 0.1+0.2, 1/3, 100000000000000000000, 2^53+1, -3%2, 2**10}'
awk 'BEGIN{print substr("hello",0,2), substr("hello",-1), substr("hello",2,100), index("abc","c"), match("foobar","o+"), RSTART, RLENGTH}'
awk 'BEGIN{n=split("a:b:c",x,":"); print n,x[1],x[3]; n=split("",x); print n; n=split("abc",x,""); print n,x[2]}'
awk 'BEGIN{while(("echo a; echo b" | getline l)>0) print "got",l; close("echo a; echo b")}'
awk 'BEGIN{print "x" > "/dev/stderr"; print "y" | "cat 1>&2"}'
awk '{print > ($1 ".out")}' data.tsv; cat id.out 1.out
awk 'BEGIN{s="aaa"; print gsub(/a/,"b",s), s; print sub(/b/,"\\&",s), s}'
awk 'function f(n){return n<2?n:f(n-1)+f(n-2)} BEGIN{print f(15)}'
awk 'BEGIN{print length()}' </dev/null
awk '{sum=0; for(i=1;i<=NF;i++) sum+=$i; print sum}' nums.txt
awk 'BEGIN{getline; print "first:" $0; getline x; print x, NR}' words.txt
awk 'BEGIN { exit 3 } END { print "end" }'
awk '{print $-1}' words.txt
awk 'BEGIN{print substr("x"}'
awk '{print' words.txt
awk 'BEGIN{f("x")}'
awk -F '|' '{print $2}' <<< 'a|b|c'
awk -F'\t' '{print $2}' data.tsv
awk -F ' ' '{print $2}' data.tsv
awk 'BEGIN{OFS="-"} {$1=$1} 1' words.txt
awk 'NR%2==0' ORS=' ' words.txt
awk '{a[NR]=$0} END{for(i=NR;i>0;i--) print a[i]}' words.txt
awk 'BEGIN{print tolower("ÀB"), toupper("é"), length("é"), substr("éa",2)}'
awk 'BEGIN{print index("aéb","b"), sprintf("%c",233), sprintf("%c", 256)}'
awk '/\<the\>/' words.txt
awk '/a{2}|o{2}/' words.txt
awk 'BEGIN{IGNORECASE=1} /the/' words.txt
awk 'BEGIN{print length(12345), 1==1.0, "a"<"b", "10"<"9", 10<9}'
awk 'BEGIN{if (match("key=val", /(\w+)=(\w+)/, m)) print m[1], m[2], m[1,"start"]}'
awk 'BEGIN{switch("b"){case "a": print 1; break; case /b/: print 2; break; default: print 3}}'
awk 'BEGIN{a[1][2]=3; for(i in a) for(j in a[i]) print i,j,a[i][j]; print isarray(a)}'
awk 'BEGINFILE{print "bf", FILENAME} ENDFILE{print FNR}' nonl words.txt
awk 'FNR==1{nextfile} 1' words.txt nonl
awk 'BEGIN{cmd="cat"; print "hi" |& cmd; close(cmd,"to"); cmd |& getline x; print x}'
awk 'BEGIN{r=system("exit 3"); print r; system("echo sub")}'
awk -i inplace '{gsub(/line/,"LINE")}1' o.txt; head -2 o.txt
awk -v 'x=a\tb' 'BEGIN{print x}'
awk -v n=5 'NR==n{print; exit}' words.txt
awk 'BEGIN{printf "%s\n"}'
awk 'BEGIN{printf "%z\n", 1}'
awk 'BEGIN{x["a"]; for (k in x) print k; print x[1]==0, x[1]==""}'
awk 'BEGIN { while (i++ < 3) { if (i==2) continue; print i } do { print "d" } while (0) }'
awk 'BEGIN{$0="a b c"; print NF; $5="e"; print; NF=2; print}'
awk 'BEGIN{CONVFMT="%.2g"; a=3.14159; b=a ""; print b; OFMT="%.3f"; print a}'
awk "BEGIN{print \"it's\"}"
awk 'BEGIN{print "a\/b\x41\101\e[0m"}' | od -c
awk 'BEGIN{print substr("hello", 1.5, 1.5), substr("hello", 2)}'
awk --lint 'BEGIN{print 1}'
awk 'BEGIN{print 010, 0x10, 1e, 011+1}'
awk -n 'BEGIN{print "0x1A"+0}' ; awk --non-decimal-data '{print $1+0}' nums.txt
awk -b '{print length}' latin1.txt
awk -M 'BEGIN{print 2^100}'
awk -e 'BEGIN{print 1}' -e 'END{print 2}' empty
awk 'function g(a){a[1]=5} BEGIN{g(z); print z[1]}'
awk 'BEGIN { print typeof(x), typeof(1), typeof("a"), typeof(/a/), typeof(@/a/) }'
awk 'BEGIN{FIELDWIDTHS="2 3 *"} {print $1"|"$2"|"$3}' words.txt
awk 'BEGIN{a[3];a[1];a[2]; n=asorti(a,b,"@ind_num_desc"); print b[1],b[2],b[3]}'
awk '{print "\"" $0 "\""}' crlf.txt
END
