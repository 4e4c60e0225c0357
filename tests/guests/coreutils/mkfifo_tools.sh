# What the tools do with named pipes: none of these opens one.
cd "$(mktemp -d)" || exit 1
exec 2>&1
umask 022
mkdir d d/sub; mkfifo d/p d/sub/q; echo needle > d/f; chmod 640 d/p
ls -l d | tail -n +2 | cut -c 1-10; ls -F d; ls -p d; TERM=xterm ls --color=always d | od -An -c | head -n 2
find d -type p | sort; find d -type f; find d/p -printf '%y %m %s\n'
grep -r needle d; grep -rc needle d; du -a d/p | cut -f 1; file d/p; wc -c d/f
cp -R d e; stat -c '%n %F %a' e/p e/sub/q; test d/p -ef e/p || echo "another pipe"
cp -a d/p kept; stat -c '%F %a' kept; cp -v -R d/p d/f2; rm d/f2
echo file > over; cp -R d/p over; stat -c '%F' over
mv -v d/p moved; stat -c '%n %F' moved; mv moved d/p
ln d/p hard; stat -c '%h' hard; test hard -ef d/p && echo "the same pipe"; ln -s d/p soft; [ -p soft ] && echo "through a link"; rm hard soft
chmod u+x d/p; stat -c '%A' d/p; chmod u-x d/p
touch -d @1000 d/p; stat -c '%Y' d/p; touch d/p d/sub/q && echo touched; touch -c d/p && echo touched
diff -r d e && echo alike; mkdir g; echo x > g/p; diff -rq d g | grep /p
mkdir one two; ln -s ../d/p one; ln -s ../d/p two; diff -r one two && echo "one pipe"; diff -rs one two; diff -ry one two; rm -r one two
echo n | rm -i d/p; echo; ls d; rm -v d/p; rm -r d e g; ls
