# skip, seek and count: in bytes and blocks, in files and on standard output
cd "$(mktemp -d)" || exit
exec 2>&1
echo abcdef > f
for o in count=2Bx2 skip=3B 'bs=2 skip=1' 'iflag=skip_bytes,count_bytes skip=2 count=3' 'skip=1 iflag=count_bytes bs=1'; do dd $o status=none if=f; echo "|$o"; done
dd bs=1 skip=50 count=0 status=noxfer < f; echo $?
dd seek=3 oflag=seek_bytes status=none if=f > out; od -c out
dd of=out seek=1 bs=2 conv=notrunc status=none if=f; od -c out
dd if=f skip=17592186044416 ibs=1048576 count=1 status=none; echo $?
dd iflag=directory if=f; dd iflag=directory count=0 < f; dd if= ; dd of=. < f; dd if=nono
ln -s f l; dd iflag=nofollow if=l; dd count=0x1 status=none if=f
dd if=f of=/dev/full bs=4 count=1 status=noxfer; echo $?
