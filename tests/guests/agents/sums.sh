# cksum, md5sum and similar programs, base64 and similar. Each line runs on the same files; sums.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
. /mnt/cases/more
while IFS= read -r line; do try "$line"; done <<'END'
basenc --base64 s10
basenc --base64url s10
basenc --base32 s10
basenc --base32hex s10
basenc --base16 s10
basenc --base2msbf nonl
basenc --base2lsbf nonl
printf '12345678' | basenc --z85
basenc -d --base16 <<< 616263
basenc -di --base64 <<< 'YW!Jj'
basenc -w 10 --base64 s10
basenc -w 0 --base64 s10
basenc -w x --base64 s10
basenc s10
basenc --base64 nope
basenc --base64 s10 s100
base64 s10
base64 -w0 s10
base64 -d <<< YWJj
base64 -d nope
base64 -i -d <<< 'Y W-Jj'
base64 -w 5 s10
base64 --wrap=-1 s10
base64 d1
base32 -d <<< MFRGG===
echo abc | base64 | base64 -d
base64 -d -w 5 <<< YWJj
basenc --base16 -d <<< 6162
basenc --base2msbf -d <<< 01100001
printf 'HelloWorld' | basenc --z85 -d
printf 'HelloWor' | basenc --z85
cksum s10
cksum -a md5 s10
cksum -a sha256 s10
cksum -a sha1 --untagged s10
cksum -a crc s10
cksum -a bsd s10
cksum -a sysv s10
cksum -a sm3 s10
cksum -a blake2b s10
cksum -a blake2b -l 128 s10
cksum -a foo s10
cksum nope
cksum s10 j1
cksum < s10
cksum -a md5 --tag s10
cksum -a md5 s10 > c; cksum -c c
cksum -a md5 -z s10 | od -c | tail -3
cksum -a sha512 s10 > c; cksum -a sha512 -c c
cksum -c s10
md5sum s10
md5sum -b s10
md5sum --tag s10
md5sum -t s10
md5sum nope s10
md5sum d1
md5sum < s10
md5sum - < s10
md5sum s10 > c; md5sum -c c
md5sum s10 j1 > c; echo x >> j1; md5sum -c c
md5sum s10 j1 > c; echo x >> j1; md5sum --quiet -c c
md5sum s10 j1 > c; echo x >> j1; md5sum --status -c c
md5sum s10 j1 > c; rm j1; md5sum -c c
md5sum s10 j1 > c; rm j1; md5sum --ignore-missing -c c
md5sum s10 > c; rm s10; md5sum --ignore-missing -c c
md5sum s10 > c; echo garbage >> c; md5sum -c c
md5sum s10 > c; echo garbage >> c; md5sum -wc c
md5sum s10 > c; echo garbage >> c; md5sum --strict -c c
md5sum -c s10
md5sum -c empty
md5sum -c nope
md5sum -c < empty
md5sum s10 | md5sum -c
md5sum s10 | md5sum -c -
md5sum --tag s10 | md5sum -c
sha256sum s10 | md5sum -c
md5sum s10 | tr a-f A-F | md5sum -c
sha256sum s10 j1
sha1sum s10 | sha1sum -c --quiet
sha512sum -c nope
sha256sum --tag s10 | sha256sum -c
md5sum --tag s10 | sha256sum -c
md5sum --quiet s10
md5sum --status s10
md5sum --strict s10
md5sum -w s10
md5sum --ignore-missing s10
md5sum -z s10 | od -c | tail -2
md5sum --tag -t s10
md5sum -bc s10
END
