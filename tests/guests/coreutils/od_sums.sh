cd "$(mktemp -d)" || exit 1
printf 'hello\n' > f; od -c f; od -An -tx1 f; od -An -td1 f; od -A d -t x1z f; md5sum f; sha1sum f; sha256sum f; sha512sum f | cut -c1-20; b2sum f | cut -c1-20; cksum f; sum f; sha256sum f > s; sha256sum -c s; echo x >> f; sha256sum -c s 2>/dev/null; echo $?; md5sum nope; echo $?; printf abc | sha224sum
