# conv=: records, EBCDIC, and conversions that exclude each other
cd "$(mktemp -d)" || exit
printf 'abcdefghi\nab\n' | dd conv=block cbs=5 status=noxfer 2>err | od -c; cat err
printf 'abc  de   fghij' | dd conv=unblock cbs=5 status=none | od -c
printf 'abc\n' | dd conv=block,sync ibs=3 cbs=5 status=none | od -c
printf 'ab\n' | dd conv=ebcdic cbs=4 status=none | od -c
printf 'Hello~^' | dd conv=ibm status=none | od -c
printf '\201\202\100' | dd conv=ascii cbs=3 status=none | od -c
for bad in conv=ascii,ibm conv=lcase,ucase conv=excl,nocreat conv=foo oflag=fullblock bs=0 bs= count=B count=99999999999999999999 foo=1; do dd $bad < /dev/null; echo "$bad: $?"; done 2>&1
