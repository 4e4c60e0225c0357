for i in 1 2; do echo $i; done > f; cat f; if true; then echo x; fi >> f; { cat; } < f; (echo sub) > g; cat g
