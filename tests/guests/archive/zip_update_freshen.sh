cd "$(mktemp -d)" || exit 1
echo 1 > a; touch -d @1600000000 a; zip -q x.zip a; zip -u x.zip a; echo $?; echo 22 > a; touch -d @1700000000 a; echo b > b; zip -u x.zip a b; unzip -p x.zip a; echo 333 > a; touch -d @1710000000 a; echo c > c; zip -f x.zip a c; unzip -Z1 x.zip; zip -mq x.zip c; ls; zip e.zip 2>&1; echo $?
