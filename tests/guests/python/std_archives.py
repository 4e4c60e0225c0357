open("/tmp/passwd", "w").write("user:x:1000\n")
import zlib, gzip, zipfile, tarfile, io, hashlib, hmac, binascii
data = b"hello " * 1000
print(len(zlib.compress(data)), zlib.crc32(data), gzip.decompress(gzip.compress(data)) == data)
with zipfile.ZipFile("/tmp/a.zip", "w", zipfile.ZIP_DEFLATED) as z: z.writestr("d/f.txt", data); z.write("/tmp/passwd", "p")
with zipfile.ZipFile("/tmp/a.zip") as z: print(z.namelist(), z.read("d/f.txt") == data, z.testzip())
with tarfile.open("/tmp/a.tar.gz", "w:gz") as t: t.add("/tmp/passwd", "passwd")
with tarfile.open("/tmp/a.tar.gz") as t: print(t.getnames(), t.getmember("passwd").isfile()); t.extractall("/tmp/x", filter="data")
print(open("/tmp/x/passwd").read() == open("/tmp/passwd").read())
for name in ("md5", "sha1", "sha256", "sha512", "sha3_256", "blake2b", "blake2s"): print(name, hashlib.new(name, b"x").hexdigest()[:16])
print(hmac.new(b"k", b"m", "sha256").hexdigest()[:16], hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 2).hex()[:16], binascii.hexlify(b"\x01\xff"), hashlib.file_digest(open("/tmp/passwd", "rb"), "sha256").name)
