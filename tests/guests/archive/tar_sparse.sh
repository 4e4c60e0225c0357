# Sparse members in GNU's four formats (`tar -S`), made by GNU tar: read with their holes; what is damaged ends with a status.
base64 -d <<'B' | xz -d | tar x
/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM8N//CKNdADebCKxbdHhkJz9MoCNCWYLt1egZqvOFcg8CIRh9d7LZX/kMG335oEdNXVmy1S2x6ocDWXL86I9Mlerb
4wvevzqeAd4QwWUslHLhETq8TgZ74sg7pkbvubsAlE3MzCi0UeRbZ/n3LDyKyuXiLLJrX9mw2M+DTBc4fP5xXBkwjLg3+REC1AvA3+JBgbojhk9TR43FzA/a
aK7NA2nnKIhLrrhKRSJLrw3r9kYQMGnvswdF2v8QgSBNEO6RsG+g2G8jBo5G7R7uNyxO84yH5NUtq19mYsXS0IAHdkZHDpkxgH8LvlGiVr5A4+esxjwQkrhF
c8/rfQLZn0G54wiO8COwCyb+PYz2hZOp/CYj0SsJZgzWjQdu0TXax3zsiOHhX4o8TSQ6TjRYjnpkY5Z3DV3AXse0JjdgTC2Ecd7Ih6StT+ID3Owp3bskoMB3
i5mo0TVUgwInyiSkEOWXGQKRTUMMfUTlhS+hL0jwEgvZQ/6LZ+bov4UJSMCfdIrLMde3+jU1xU9kL7ZLemyoLk2MPsBbbOi/3/avBK9t38rk6bsRUp4ZQ4Ff
WRFlImZcHuyXoL8oqOndc06yVo/8Ck4/8Y7vAy43xLvQrVn1bwuyaDjNH1EOlU4j6ZQB/b9kzxPj2dkaf2yvgaEHNZqnD0NW7JtpjekJx5dF4wwDkbF07Pmm
4xlx2HjOgJH0IYcxxL2o804EwXu/mdx53GqY4JZrVCZ7kU0un+1AojysMcTv1nv8Q3p+0yF5s1qad4O+rClCf9nmyPIiDT3t6raZTQbYKJxGfX80UG9/wRa+
HjbDlB6+7L4JWj8C91MwLd6tpo4uOiOSX8qn5XHGndD/nSPFBdRbcIUlx14dhff5+M83c+EyI1hQCghgv66Azf5nM8P1sRk5+JODEd020m/wEMxEz+DhU9px
5k72yGKuVRQRjs1zyA66/b7ViPWGLx6mkTemSfn9qnpkjNi6inmzq8A9srUfvXPMwZXmC4rogpXNzHh+mFzAo5zK4q3gpgMkLDTI16PRAMNpPMgqenxS51cJ
2TtOsMs6xXQtyIAeE6Z8kiozubDwMLtf/PPFNk73GT6h3n7nRAacEq5wWdhIw86AKfp7ggXrUmdXXvpHxZPpyLRJENsQBQjCbu+rb+AU1XpmD1fQELQwF7Dv
3J6tMYoEfThMeN37uv0sWrQh7JczRj2ZeFq2wxN3KszFRCodUVNEm1pNsZTLhDNyRGsWaFvX0DvYUpfUdFgUYXTETtFXF6bM3l9b56OEI6n+gIYR26+9M5Kq
cCcNQPnB2S4fbg86DSqVJ4W6LOytrSaoHkiTj2Tpq5tPRgpi/CapP09gIl2MCX36wxBpKU/lpZZZ7X9b1TH0RAvL6+UcdtekI5AQqcEdMEGTUbcDYOPS8Zbo
Tj3tl1rQrRFVWEdex3SLzmHYrEqu4m+HsEmElLXWY4DsCSDt36Id/dbIxComSN+HVFX6p/6AvaI+VmV+SPTQdFaDnARtfmY2V2D8FG3+BlY+68fPEi9tw6Wh
l6T42HrNwXJXMz6DTzsRgvDu5vxcBs7NF4LJSj34NQZK9YdGvVOw9kKV+DfkHAGC8fSKWAZ3TsP1UJ21Cfdr0X8S8ZcRVwixhZKbIEUn8ade7TqU9Q7U7g8Q
eE4wmhBKFiYgaNbPNRKJBUardqqpKry/qHtXNfKfEZlT4GH1n/CqzlPG/arJm3DfKqrrY3yOhGkQgyBZ/OT1xUcyXsWPpOVMrupcvD3/vKRMhHbm4ZxkrW4Q
yVTMVEhpdeO/AAg1T4skKQlHAQzM3OaYkI51yWG77X0LeSwiTE248lWgP6+uC/J6CgT7N87PIWEM8Kc8+5jfT/GN8mNkFbgoLxQnVY8/jD6nOHhsEkWgF7oP
YeSjC5NVRwiNrj/AMakRv5eIzua51YTWzTi+IvQ3EeHbM9g1bjU6brmq2yrE4c447kA8QbKcf3SxWRJViV0F4Cj2fJVdBNlFBrtBgt+FFuWKiNp9dviachYO
T+22HUYospxHb1T+aNVV1UVsnC543cbERTPUnI4QXJ7JxGP0azJ5tJO9r2YkTDRnlmnHmhynBhH9a/gwCwH28I/sH0GBBrmB0dvjkS3ekW5E+AOOSfnAo+gK
6T4a0ARrenixG/7/iuBPplBqal4nk3C/GmrUIFuy620tgesoINfjhpuE3aAlOL7mPmVv0nopMRuQ+NhuDT1n1yOAncAGmE2Y/div1YBpxdAuH1t1Hr1fN3BR
LHYWrWkNhACUXfBKPjw0ebdXz8B/yJLzsZXHswyb9ZmEEhu+TIG/94kP7a1WSntrP/SzrbLy02kzFcKJj1LS4z7pZnNQHsCkF6g6rIwaOqKY7fYw6FIMXzQj
811qoP+mUjah5nVUZ9m3ujXOlp99QBy1nZoPLSVH3qTyLgZ5HrqNZI8PfxjLdDwy+Bu7UwyjxSEifGHbpmXOE0s6mMqbDaRcIIrdyX6z35c/zRebVjmVAiCF
IiBHtKQiQD15/y+vuB6267o0o4LtYqhCvvPrTRriZa14O4BB1wB8WQUkD2XT7MJkZ9v4vPozAho7N8EGi9azooLDwCH1lqORJInU6keL0p48SfLjzq6W3Hep
AgIhbVGYD7KogvI0WJ7w2IOL7GID1kXKX1AN3KNgwSK57WkYkA8vUlm7PhUOIFVNRFNPF+kQ6Yj/SqJ636YHenSqgpFcsNQaCWWKI72xwA541d0G1UDtvDfA
TxJCqC8hlyWDrMnrGjux4jDKT+geX6J+cp5SvYYTo7WZlpZ99jheVlGesErd5CcTPWegRPg3LWDd63Ky5Eb2VPCIc38VlLd5AoIUxqyeEthqZyUrYQ2Ie1iV
XMnRepMeLNzOskZOkJohHzs4iI0vRgENNzQKjs5ERMS07DnZw/mfDCC3U0t57usxrLk1pqJ/S1bsSlg5ogefsCi+IGG/96mAnIE2AB1si99FjgAAhS0H6qh6
taoAAb8RgMBDAPL369KxxGf7AgAAAAAEWVo=
B
exec 2>&1
for f in old pax0.0 pax0.1 pax1.0; do
  echo "--- $f"; tar tvf $f.tar | sed 's/l\{120\}/L/'
  mkdir $f; tar xf $f.tar -C $f; echo "rc=$?"; (cd $f; sha256sum * | sed 's/l\{120\}/L/'); tar xOf $f.tar end | sha256sum; tar df $f.tar -C $f two many end; echo "rc=$?"
  tar xf $f.tar -C $f --transform 's/^/x-/' two plain; cmp $f/two $f/x-two; cat $f/x-plain
  cp $f.tar part.tar; tar rf part.tar -C $f plain; tar tf part.tar | tail -1; tar xOf part.tar end | sha256sum
done
# Damaged: cut in the data, pieces behind the end, a word for a number, an unknown format. GNU tar extracts `small` and `major` wrong, with status 0.
python3 - <<'P'

for name in ("old", "pax0.1", "pax1.0"):
    data = open(name + ".tar", "rb").read()
    open(f"cut-{name}.tar", "wb").write(data[:8 * 512])
    if name == "pax0.1":
        at = data.index(b"GNU.sparse.size=3145728")
        open("small.tar", "wb").write(data[:at] + b"GNU.sparse.size=0000009" + data[at + 23:])
    if name == "pax1.0":
        at = data.index(b"\n65536\n") - 1
        open("word.tar", "wb").write(data[:at] + b"x" + data[at + 1:])
        open("major.tar", "wb").write(data.replace(b"GNU.sparse.major=1", b"GNU.sparse.major=7", 1))
P
for f in cut-old cut-pax0.1 cut-pax1.0 small word major; do rm -rf d; mkdir d; tar xf $f.tar -C d > /dev/null 2>&1; echo "$f rc=$?"; done
