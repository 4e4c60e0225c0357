"""bz2 and lzma: what the C libraries wrote is read, and what is written here is read by the tools; streams, files, archives."""
import base64
import bz2
import io
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile

BZ2 = b"""LRx4!F+o`-Q(0{2a{&Mp`PqN~5I_Kb;5TQKkU#=l001eYKpFr5ri}n-00Npc0iXZ^r7|W-3F-`tPauT$2u~pi@(`OmM<dkrDD^zWnLUQgn>zd$I){^n<D-KkCuWCb#tM#%8!&9L$|$J8vWqCe!j6rNii<loQPHy|4VH9ZqIP!{GH~q4!j2aiFm!OUg_<xleu5Ih6Z0L83OYR_v%#438Z>0ls2Mg{Wfo-NgC!b1!V=JSVmmf)S!bZhqcDzOqKz0hQHZlK(8MF7qen$Wlx*-|(MLjH!K1`<Xt<+AnKcqPaKVCvXtO1jQAL<Z7EwhN92O(`5SR#0aD?~-C%{5~f)n--m<Ughg!>3jppgy&6X+o}5T4-)@(`W^6F~{~5S$21gePGMkV0%BI|xtsyOJrwgo9^8m<R"""
XZ = b"""{Wp48S^xkF;rk4s0stWa8~^|S5YJf5;6Kg*F<k&Q8cH7spe6%N2A%o<T}sIcO_hsn?zrXuZ|>Bj{Lv8HqUPfCO}svAS73p2#()l#AD*n%MViWu1km<%xW&)Q5pG!yCmoFu!}L~)1EVch;p-!lV-=*2ZahGjVG3y%k>P^{d0&Piy6tbO@OOYiq6d$MCC$SYdx}>(p^$RQ>3iD@C3Gi`RW?**e{PJ~b|Fnv)SM8ca++|^hNy^B?q}yuz+7VomyL$V9K4YM{!Z+C$NX5Yynrp4Z;BKrbQA9m?8lbYX^h%%aF+L`==9?z--^N$eHh3{{&9S(J%7E|;})z61q%1?!n>J}NOm~&&&i@pRqKgVy5$iCa3VX5;39=|TfznE=4g(7>DX(~f$eE}V-#*3;>&8iQQo`p9a#R0v*WQJ_^<!~00000;o;6r&UpjPkXOm9WbO&5QCX1E5IM*maYuZSBa@-)00HF!&wl^_vD}}Iw&~v-0ssI2018=J"""
DELTA = b"""{Wp48S^xk9=GL@E0s#X710ewrqAC&<;6Kg*)?ENL8cH7zUbao%Tar_=@S%+^)7$%|@vmgil&8m*+JG%<YBnXI49#$WIelB+t$!lDL@k2>Tf^nJZ%0fOaxzS)E|O-pKe9pQsL9Q;?K(+y3Ag&?gdNGBmnQ!vACRl6VoubYK1+aE{BAK;-WhnxxXUP>p>kS&#tQnz1Xid=KO7j~)z3J-C1KN5YGJP~C~Cg*Cr@`jhDCB|9CK<45X|eL@;KEP0A>7wLhqQBHx2~#k%+jYXHu}|%0!~vkB#oeUfdpu!5bJjfTMAuJ1{K*!uLB!Lb(fH3JjC&ri3lBv4a+Yh?Bl2%1dQfObpO+t}bN8CU<e;>kbmynr`1!_}yWi$-VY{ec(+}9}%U61=)g&BXD$fvLo++_C1tit5(5lMR9Iz-u@q_i_jLi5KymRNwm?_dZMt+-k}1PHT&`o-x0ks18Cw6)M5X}p~xsclWn_y?zF2dW4btE$)swZgwEk!0A}@X0H8^4pHo&!WFqr?EsLt1$v^dWi&vy8f^$*pj22Qjc%?x2bcBlZpHL@lt`i=FYAa=Hh9Wp+xs?wbo|1B;+v?E@t#Wg<J}XjMV>Z7cbcqpLY&%*6IR{lHVw}2^j=&TG00000*A`LhH4Dl800Hs?&wl^_BF8MPvBYQl0ssI200dcD"""
ALONE = b"""T>t=p0RR90|NsC0{{S``N*@TICId|do%#S>O34aMm5XiexaI$E?$o6G(Gc9C=Hm2CygqDKV1aYSfDV)&o~+hIn#zp?(Drq>#m~zTZdnc|9gPvg^j3-kqb*nA>m!q66{L@DJV2LW3TYRS;e!QvUxp&O?Qg2^cYs5p2aks(&BGRZidQ?KkaEiDd)o{pbSIBhHdJMQZj9M>Ax%`&oDigPnsCsDsEAYUXXj7ATw@29jfTh^r?4;=90)Xvm+~sZr3d|l{671E63||vXKn(YGgm(ODsb255j}HK3MgLR!%8C4EskU0%Py|i_Fwa1zyMo0MM6JgEu4Mbr{}Mi+EGK;>2(zH7bT90`M?zctry7*oS{uwIYzZosud_F!S6FTq@mYPp(rwDADz)J_Rxcri3;XoM0zRimVf{9<fbG"""
RAW = b"""05%&P6#1Vfbj<xJUKk;qNjklSm4t}H@*^X>dg|#obK<+2TC(8T*Cb70S%q}@T+Dm<`2)4e1ML@BS&sQC4plT_qr@w}!wdn|RJvPOWayVzt2d*}P2ucO?ADSxfL1ZX;o75}x>uu2YDeOnBzKU>d&hDTg>FPqW}dNSs;uR<S}+N-(rgH^&HvOIlh@EH8joip?<Kx|?AiWYAM^sfef!$1mSS)ZrGCjH7dYEPkyzoJ-N<Ball3szFmQfP{$bMt6q~Hj4U$ilqw2SN_>}CjY3t+Tu>@+i;u^ChC$xJj4PX%=!m^8t)jvDQ>+VPtNs{a`B#9f+rbZ+WH&x-=2^~Hw&?VBC92kVZI_+g@!5DVkmpJTF-5n^8=$-4XL2*~PP?^MK?Aut{dG94%dM5icTylZ_k_(6"""

TEXT = b"".join(b"line %d of what liblzma and libbz2 wrote\n" % (n * n % 97) for n in range(400))


def attempt(what, *arguments, **options):
    try:
        print(what(*arguments, **options))
    except Exception as error:
        print(type(error).__module__, type(error).__name__, error)


RAWS = [{"id": lzma.FILTER_LZMA1, "lc": 2, "lp": 1, "pb": 0, "dict_size": 65536}]
print([bz2.decompress(base64.b85decode(BZ2)) == TEXT] + [lzma.decompress(base64.b85decode(data)) == TEXT for data in (XZ, DELTA, ALONE)],
      lzma.decompress(base64.b85decode(RAW), format=lzma.FORMAT_RAW, filters=RAWS) == TEXT)

# There and back, all kinds.
BIG = os.urandom(200_000) + TEXT * 50
for level in (1, 9):
    print("bz2", level, bz2.decompress(bz2.compress(BIG, level)) == BIG)
for options in ({}, {"preset": 0}, {"preset": 6 | lzma.PRESET_EXTREME}, {"check": lzma.CHECK_NONE}, {"check": lzma.CHECK_CRC32}, {"check": lzma.CHECK_SHA256},
                {"format": lzma.FORMAT_ALONE}, {"filters": [{"id": lzma.FILTER_DELTA, "dist": 3}, {"id": lzma.FILTER_LZMA2, "dict_size": 1 << 16, "mode": lzma.MODE_FAST}]}):
    packed = lzma.compress(BIG, **options)
    decompressor = lzma.LZMADecompressor()
    print(options, decompressor.decompress(packed) == BIG, decompressor.eof, decompressor.check, len(packed) < len(BIG))
for filters in (RAWS, [{"id": lzma.FILTER_LZMA2, "preset": 3}]):
    packed = lzma.compress(TEXT, format=lzma.FORMAT_RAW, filters=filters)
    print(lzma.decompress(packed, format=lzma.FORMAT_RAW, filters=filters) == TEXT)
print(bz2.decompress(bz2.compress(b"a") + bz2.compress(b"b") + b"trailing"), lzma.decompress(lzma.compress(b"a") + lzma.compress(b"b")), bz2.compress(b""))
for command, packed in (("bunzip2", bz2.compress(TEXT)), ("unxz", lzma.compress(TEXT)), ("unlzma", lzma.compress(TEXT, format=lzma.FORMAT_ALONE))):
    print(command, subprocess.run([command, "-c"], input=packed, capture_output=True).stdout == TEXT)
for command, module in (("bzip2", bz2), ("xz", lzma)):
    print(command, module.decompress(subprocess.run([command, "-c"], input=TEXT, capture_output=True).stdout) == TEXT)

# Streams: small pieces in, limited pieces out, what is left.
for compressor, make in ((bz2.BZ2Compressor(), bz2.BZ2Decompressor), (lzma.LZMACompressor(), lzma.LZMADecompressor)):
    packed = b"".join([compressor.compress(BIG[at : at + 1000]) for at in range(0, len(BIG), 1000)]) + compressor.flush()
    attempt(compressor.compress, b"more")
    attempt(compressor.flush)
    decompressor = make()
    found = b"".join(decompressor.decompress(packed[at : at + 77]) for at in range(0, len(packed), 77))
    print(found == BIG, decompressor.eof, decompressor.needs_input, decompressor.unused_data)
    attempt(decompressor.decompress, b"")
    decompressor, found, most, calls = make(), [], 0, 0
    data = packed + b"rest"
    while not decompressor.eof:
        found.append(decompressor.decompress(data if decompressor.needs_input else b"", max_length=5000))
        data, most, calls = b"", max(most, len(found[-1])), calls + 1
    print(b"".join(found) == BIG, most, calls > 50, decompressor.unused_data)
    decompressor = make()
    print(type(decompressor.decompress(packed[:50])), decompressor.needs_input, decompressor.eof)
    attempt(make().decompress, b"not compressed, not at all, whatever it is")
    attempt(make().decompress, packed[:500] + b"damage" * 50 + packed[900:])

# Files.
for module, name in ((bz2, "/tmp/a.bz2"), (lzma, "/tmp/a.xz")):
    with module.open(name, "wt", encoding="utf-8") as file:
        file.writelines(f"{n} é\n" for n in range(3000))
    with module.open(name, "rt", encoding="utf-8") as file:
        print(sum(1 for line in file), end=" ")
        file.seek(0)
        print(file.readline().strip(), end=" ")
    with module.open(name) as file:
        print(file.seek(10_000), file.read(6), file.tell(), len(file.read()), file.read())
    with open(name, "rb") as whole:
        cut = io.BytesIO(whole.read()[:-10])
    attempt(module.open(cut).read)
with bz2.BZ2File("/tmp/a.bz2", "a") as file:
    file.write(b"end")
print(bz2.open("/tmp/a.bz2").read()[-10:])

# Mistakes.
attempt(bz2.BZ2Compressor, 10)
attempt(lzma.LZMACompressor, preset=10)
attempt(lzma.LZMACompressor, lzma.FORMAT_RAW)
attempt(lzma.LZMACompressor, lzma.FORMAT_ALONE, check=lzma.CHECK_CRC32)
attempt(lzma.LZMACompressor, filters=[{"id": 99}])
attempt(lzma.LZMACompressor, filters=[{"id": lzma.FILTER_LZMA2, "wrong": 1}])
attempt(lzma.LZMADecompressor, lzma.FORMAT_RAW)
attempt(lzma.LZMADecompressor(memlimit=1 << 16).decompress, lzma.compress(TEXT))
attempt(bz2.compress, "text")
print(lzma.is_check_supported(lzma.CHECK_SHA256), lzma.is_check_supported(7), lzma._decode_filter_properties(lzma.FILTER_LZMA1, b"]\0\0\x80\0"),
      lzma._encode_filter_properties({"id": lzma.FILTER_LZMA1}), lzma._encode_filter_properties({"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20}))

# Archives.
os.makedirs("/tmp/folder/sub")
for name in ("one", "sub/two"):
    with open(f"/tmp/folder/{name}", "wb") as file:
        file.write(TEXT)
for kind in ("bztar", "xztar"):
    made = shutil.make_archive("/tmp/made", kind, "/tmp", "folder")
    shutil.unpack_archive(made, f"/tmp/{kind}")
    listed = subprocess.run(["tar", "-tf", made], capture_output=True, text=True).stdout.split()
    print(made, open(f"/tmp/{kind}/folder/sub/two", "rb").read() == TEXT, sorted(listed))
    for mode in ("r:*", f"r:{made[-3:].strip('.')}", f"r|{made[-3:].strip('.')}"):
        with tarfile.open(made, mode) as tar:
            print(mode, sorted(member.name for member in tar))
attempt(tarfile.open, "/tmp/folder/one", "r:xz")
for kind in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
    with zipfile.ZipFile("/tmp/a.zip", "w", kind) as archive:
        archive.writestr("t", TEXT)
        archive.writestr("u", b"")
    with zipfile.ZipFile("/tmp/a.zip") as archive:
        print(kind, archive.testzip(), archive.read("t") == TEXT, archive.getinfo("t").compress_size < 3000)
print(sorted(name for name, _ in shutil.get_archive_formats() if name != "zstdtar"), len(sys.modules["bz2"].__all__))
