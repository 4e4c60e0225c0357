cd "$(mktemp -d)" || exit 1
touch f; mkdir d; ln -s f l; ln -s no dang; chmod +x f; for t in '-e f' '-f f' '-d d' '-L l' '-h l' '-e dang' '-L dang' '-x f' '-s f' '-r f' '-w f' '-f d' '-e nope' '-x d'; do env test $t; echo "$t $?"; done
