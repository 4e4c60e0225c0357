# Names of archives that DOS and Windows made: in a code page (`-O`, `-I`), and with backslashes.
python3 - <<'P'
import struct, zlib
def raw(path, entries, flag=0, made=20):
    out, central = b'', b''
    for name, data in entries:
        h = struct.pack('<HHHHHIIIHH', 20, flag, 0, 0x6000, 0x5c21, zlib.crc32(data), len(data), len(data), len(name), 0)
        central += b'PK\1\2' + struct.pack('<H', made) + h + struct.pack('<HHHII', 0, 0, 0, 0, len(out)) + name
        out += b'PK\3\4' + h + name + data
    open(path, 'wb').write(out + central + b'PK\5\6' + struct.pack('<HHHHIIH', 0, 0, len(entries), len(entries), len(central), len(out), 0))
raw('jp.zip', [('日本/報告.txt'.encode('cp932'), b'ho\n'), ('ソ.txt'.encode('cp932'), b'so\n')])
raw('cn.zip', [('刘.txt'.encode('gbk'), b'liu\n')]); raw('ru.zip', [('отчёт.txt'.encode('cp866'), b'r\n')])
raw('de.zip', [('Müller.txt'.encode('cp437'), b'm\n')]); raw('l1.zip', [('Müller.txt'.encode('latin-1'), b'm\n')], made=0x31e)
raw('u8.zip', [('Müller.txt'.encode(), b'm\n')], 0x800, 0x31e)
raw('back.zip', [(b'sub\\', b''), (b'sub\\in.txt', b'i\n'), (b'..\\up.txt', b'u\n'), (b'\\abs.txt', b'a\n'), (b'a/b\\c.txt', b'm\n')])
raw('unix.zip', [(b'unix\\x.txt', b'x\n')], made=0x31e)
P
hex() { od -An -tx1 | tr -d ' \n'; echo; }
for z in jp cn ru de l1 u8; do unzip -qo $z.zip -d $z 2>/dev/null; echo "$z rc=$?"; (cd $z && find . -type f | LC_ALL=C sort | hex); unzip -Z1 $z.zip | hex; done
for z in back unix; do unzip -o $z.zip -d $z 2>err; echo "rc=$?"; cat err; (cd $z && find . -type f | LC_ALL=C sort); done
unzip -l back.zip | sed -n 4,6p; unzip -t back.zip > /dev/null; echo "rc=$?"; unzip -p back.zip 'sub\\in.txt'
# What Debian's unzip has not: the encoding, by a name as iconv takes it.
for z in 'cp932 jp' 'GBK cn' 'CP866 ru' 'IBM437 de'; do unzip -Z1 -O ${z% *} ${z#* }.zip; done; unzip -Z1 -I latin1 l1.zip; unzip -Z1 -O cp437 u8.zip
unzip -qo -O cp932 jp.zip -d ojp; echo "rc=$?"; (cd ojp && find . -type f | LC_ALL=C sort); unzip -p -O Shift_JIS jp.zip ソ.txt; unzip -O nosuch jp.zip 2>&1; echo "rc=$?"
