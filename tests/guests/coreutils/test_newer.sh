cd "$(mktemp -d)" || exit 1
touch -d 2001-01-01 a; touch -d 2002-01-01 b; env test a -ot b; echo $?; env test a -nt b; echo $?; env test a -nt nope; echo $?; ln a c; env test a -ef c; echo $?; env test a -ef b; echo $?
