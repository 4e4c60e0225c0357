for x in apple banana 'a b' '' 12 x; do case $x in apple|pear) echo fruit;; b*) echo b;; "a b") echo quoted;; '') echo empty;; [0-9]*) echo num;; *) echo other;; esac; done
