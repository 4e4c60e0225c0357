cd "$(mktemp -d)" || exit 1
export TZ=UTC
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do awk -v s=$i 'BEGIN{srand(s); x=s*7919; for(i=0;i<60;i++){x=(x*1103515245+12345)%2147483648; print int(x/65536)%8}}' > r1; awk -v s=$i 'BEGIN{x=s*104729; for(i=0;i<60;i++){x=(x*1103515245+12345)%2147483648; print int(x/65536)%8}}' > r2; touch -d '2024-01-02' r1 r2;  diff -u r1 r2; diff r1 r2 | wc -l; done
