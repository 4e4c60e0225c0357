cd "$(mktemp -d)" || exit 1
export TZ=UTC
for i in 1 2 3 4 5 6 7 8 9 10; do awk -v s=$i 'BEGIN{x=s*7919; for(i=0;i<300;i++){x=(x*1103515245+12345)%2147483648; print "line " (int(x/65536)%40 == 0 ? "x" i : i%50)}}' > r1; awk -v s=$i 'BEGIN{x=s*104729; for(i=0;i<300;i++){x=(x*1103515245+12345)%2147483648; k=int(x/65536)%30; if(k==1) continue; if(k==2) print "ins"; print "line " i%50}}' > r2; touch -d '2024-01-02' r1 r2; diff -u r1 r2; diff r1 r2; done
