shopt -s extglob
for x in foo.jpg foo.png bar 123; do case $x in *.@(jpg|png)) echo img;; +([0-9])) echo num;; !(foo*)) echo other;; esac; done
