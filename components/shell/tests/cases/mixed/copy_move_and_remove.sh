echo a > f1; cp f1 f2; mv f2 f3; cat f3; rm f1 f3; [ -e f1 ] || echo gone; touch "sp ace"; ls; rm sp*; ls | wc -l
