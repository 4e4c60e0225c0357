"""compression.zstd: what libzstd wrote is read, what is written here is read by the tool zstd."""
import base64
import io
import os
import shutil
import subprocess
import tarfile
import zipfile
from compression import zstd

ZSTD = b"""D77#BWY0cj1_06wAQhmi13)!=pJ5*UVV81CnUZ+bXte@;UaijgU(v7hRCS%DEu^aL@^AW2!O$)h;;kyNXKwKhU&fx(FwM41hR(y5@pssodx=#y#8h@D*wb(Rm$s^qY|Fa3Qu@oqU;b=$%@;79#({#0h=Lh{VTlwXQG#bcpx|f%AuyOk31g@sIDL=31CT8Yy8#kFAPD^bk06l0{{~X9?=4~x2y}w-qXZO)k5Zrp1`*O+P5=O2Wnv%#ln4nG1ca0lgN?=nOHNe}*j3qJB&Y"""
SMALL = b"""D77#BAOHaX08lDT7y|$R0AXTdD77#B03c-<0CXs9X>Mg8Fd%PcAa`hCbRcYLVr+VCVIW~{WFTy5Vq$tSAa`<abY%)`X>Mg8F(7YdAa`hCbRcYLVr+VCVIW~{WFTy5Vq$tSAa`<abY%)`X>Mg8G$3zgAa`hCbRcYLVr+VCVIW~{WFTy5Vq$tSAa`<abY%)`X>Mg8IW{siGc-9MZ)P?$Aa7<kF(7YdGcq(cAa7<jGBY+gH6U+hGczD>W;ZY(Z)PzvAa7<hGazqfIW{0~W;8S)Z)PzdZ)PAfAa7<MG$3zgAT=-`Z)P|)GB+S^W;i$?Z)P<#Aa7<eG9YheI5{A1W;QV(Z)P(!Aa7<dF(7YdI5r?}W;Qk;Z)P+zG9YheF*qP^W;rt;Z)P|(Aa7<jIUsLlH!~n_W*{>lZ)PAhAa7<MIUsLlAUHK3Z)Q0&Aa7<dI3RCkGcq7=W;8e;Z)P?&Aa7<kHXv_iF)<)-W-~P)Z)P?zAa7<lAa7<MGBO}<W;i$?Z)P$#Aa7<hAa7<MH83D=W;rw<Z)P+(G&CS@W;r$>Z)P(fZ)PAdG9YheH!vV?W-~J&Z)P?!Aa7<fF(7YdH!>h^W->G&Z)P(fZ)PAkF(7YdG$3zgAT&83Z)P?iZ)PAeH6U+hHXv_iAT%IvW*|8rZ)PAfHXv_iHZ&k_W;ih*Z)P$yAa7<gHz03jH!>h^W;rz=Z)P_zAa7<dG9YheH8UV@W;8S)Z)Q0$Aa7<gGazqfIW!<|W;HM%Z)P?%Aa7<eHz03jI5;40W;HY*Z)P$wAa7<kIUsLlHZdS?W-~P)Z)PzuAa7<kHXv_iHZ~w{W;8e;Z)P$eZ)PAlGazqfI5i+|W;Zz?Z)SjwsKFQ!^80@VfHRt=0}}ZE|Ex&!{u$1w@Aqn(tVOMk_N1Nq#CN=Y=pvXW$na*t!bp~kk?{Hk{>yr2bbMo$v>;OAP6$M}AF1VcTboEhS%K`pb#q944ztj7iX&W1YKG_8eH;~)QttANzh?2vx5HFl6*ftN(}}rTJ%jFKT7_4p>=ao2`EJt{1t{r({fE|d&?{6;$pX|T^Y4UT1p"""

TEXT = b"".join(b"line %d of what liblzma and libbz2 wrote\n" % (n * n % 97) for n in range(400))
BIG = os.urandom(200_000) + TEXT * 200


def attempt(what, *arguments, **options):
    try:
        print(what(*arguments, **options))
    except Exception as error:
        print(type(error).__module__, type(error).__name__, error)


print(zstd.decompress(base64.b85decode(ZSTD)) == TEXT, zstd.decompress(base64.b85decode(SMALL)) == TEXT)
print(zstd.get_frame_info(base64.b85decode(ZSTD)), zstd.get_frame_size(base64.b85decode(ZSTD)) == len(base64.b85decode(ZSTD)))
for data in (b"", b"x", TEXT, BIG):
    for options in ({}, {"level": 19}, {"options": {zstd.CompressionParameter.checksum_flag: 1, zstd.CompressionParameter.content_size_flag: 0}}):
        packed = zstd.compress(data, **options)
        tool = subprocess.run(["unzstd", "-c"], input=packed, capture_output=True)
        print(len(data) if data is not BIG else "big", zstd.decompress(packed) == data, tool.stdout == data, zstd.get_frame_size(packed) == len(packed),
              zstd.get_frame_info(packed).decompressed_size == (len(data) if len(data) <= 1 << 20 else None))
print(len(zstd.compress(TEXT)) < len(TEXT) / 5, len(zstd.compress(BIG)) < 500_000)
print(zstd.decompress(subprocess.run(["zstd", "-c"], input=BIG, capture_output=True).stdout) == BIG)

compressor = zstd.ZstdCompressor(options={zstd.CompressionParameter.checksum_flag: 1})
packed = b"".join(compressor.compress(BIG[at : at + 50_000]) for at in range(0, len(BIG), 50_000))
first = compressor.compress(b"now", zstd.ZstdCompressor.FLUSH_BLOCK)
packed += first
decompressor = zstd.ZstdDecompressor()
print(decompressor.decompress(packed)[-3:], decompressor.eof, decompressor.needs_input)
packed += compressor.flush()
print(compressor.last_mode == compressor.FLUSH_FRAME, zstd.decompress(packed) == BIG + b"now", subprocess.run(["unzstd", "-c"], input=packed, capture_output=True).stdout == BIG + b"now")
packed += compressor.compress(b"second", compressor.FLUSH_FRAME)
print(zstd.decompress(packed)[-9:])
decompressor, found, most, data = zstd.ZstdDecompressor(), [], 0, packed
while not decompressor.eof:
    found.append(decompressor.decompress(data if decompressor.needs_input else b"", max_length=5000))
    data, most = b"", max(most, len(found[-1]))
print(b"".join(found) == BIG + b"now", most, zstd.decompress(decompressor.unused_data))
attempt(decompressor.decompress, b"")
decompressor = zstd.ZstdDecompressor()
print(b"".join(decompressor.decompress(packed[at : at + 7]) for at in range(0, len(packed) - 30, 7))[:1000] == BIG[:1000])

attempt(zstd.decompress, b"not compressed at all")
attempt(zstd.decompress, packed[:5000])
attempt(zstd.decompress, zstd.compress(TEXT, options={201: 1})[:-1] + b"!")
attempt(zstd.decompress, zstd.compress(BIG)[:300_000] + b"damage" * 1000)
attempt(zstd.ZstdCompressor, level=100)
attempt(zstd.ZstdCompressor, level=3, options={})
attempt(zstd.ZstdDict, b"x")
attempt(zstd.CompressionParameter.window_log.bounds)

with zstd.open("/tmp/a.zst", "wt", encoding="utf-8") as file:
    file.writelines(f"{n} é\n" for n in range(3000))
with zstd.open("/tmp/a.zst", "rt", encoding="utf-8") as file:
    print(sum(1 for line in file))
with zstd.ZstdFile("/tmp/a.zst") as file:
    print(file.seek(10_000), file.read(6), len(file.read()))
os.makedirs("/tmp/folder/sub")
with open("/tmp/folder/sub/two", "wb") as file:
    file.write(TEXT)
made = shutil.make_archive("/tmp/made", "zstdtar", "/tmp", "folder")
shutil.unpack_archive(made, "/tmp/unpacked")
print(made, open("/tmp/unpacked/folder/sub/two", "rb").read() == TEXT, subprocess.run(["tar", "-tf", made], capture_output=True, text=True).stdout.split())
with tarfile.open(made, "r|zst") as tar:
    print([member.name for member in tar])
with zipfile.ZipFile("/tmp/a.zip", "w", zipfile.ZIP_ZSTANDARD) as archive:
    archive.writestr("t", TEXT)
print(zipfile.ZipFile("/tmp/a.zip").read("t") == TEXT, zstd.ZstdFile(io.BytesIO(packed)).read() == BIG + b"nowsecond")
