touch one.sh two.sh; ext=sh; echo *.$ext; p='t*'; echo $p; for f in $p; do echo "f=$f"; done
