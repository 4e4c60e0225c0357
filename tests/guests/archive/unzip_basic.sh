cd "$(mktemp -d)" || exit 1
printf 'hello\n' > f; seq 200 > g; mkdir d; echo x > d/h; touch -d @1700000000 f g d/h d; zip -rq a.zip f g d; TZ=UTC unzip -l a.zip; mkdir o; unzip a.zip -d o; diff -r d o/d; TZ=UTC stat -c %Y o/f; unzip -j a.zip d/h -d j; ls j; unzip -qo a.zip -d o; echo $?
