# The traditional encryption of zip, both ways, with archives that Info-ZIP's zip made, and Python's zipfile.
exec 2>&1
base64 -d > e.zip <<'B'
UEsDBBQACQAIAE2hfF2LNgAzmwEAAJwGAAABABwAcVVUCQADMjULazI1C2t1eAsAAQQAAAAABAAAAABM41G+4uDaDA17S2Xy6HnRXmOPM3jeAu0Chxg1DILc
lp05w0rGAN/gXkqanqdAM8rDH4OxrmZ73N0MAZ7KNhTlPTi5BmZND1oWUSi0lBS6lYYkg5W8lJczoNiYdKvdvemrJbFCi/FRw74I4INH7LgkjbOYxy/f6an+
MQ4PBAQ3mY1BW6CnJFuMl29xbrQlx8YWmrbYq4bXtsZ/kQvgufNfnpBQp5j2iJPXToZBUAroYDwCiusDurI9j1fx+wXncLhRle8YJuEzzAFGQ0C25bH/5nqM
B6k1sAINoO/PgOINuszVzR841s0Sdo48gd3PzSgW5W5jzXTXNb7lADhZtJiy1CIAwyLJSmKOSYXYvpBnrOP36sJjqyi5AZBNWxUNp9TKd2AdsLR9hMAYv35U
vmQNNgMGkkoNxtaRiLVzCiQRB+DSgmCCLKhOMw6Nowhdbfmaz81ZxQTnTmqjX8YePOj5quhXfQj43fDFiibfxLKl9YO19mG+CMG+0w8LiYo/slEC8/8pfP/7
Wl+IjdaxUKP9r5DDrlAVf7kX7ypQSwcIizYAM5sBAACcBgAAUEsDBAoACQAAAE2hfF0QxD/QEQAAAAUAAAABABwAc1VUCQADMjULazI1C2t1eAsAAQQAAAAA
BAAAAACsVDtoI+JtH6bUWRC7Q5KvkVBLBwgQxD/QEQAAAAUAAABQSwMECgAAAAAATaF8XQAAAAAAAAAAAAAAAAIAHABkL1VUCQADMjULazI1C2t1eAsAAQQA
AAAABAAAAABQSwMECgAJAAAATaF8XSeuAPUNAAAAAQAAAAEAHABsVVQJAAMyNQtrMjULa3V4CwABBAAAAAAEAAAAACQWdr3M9K6uz2aSAlJQSwcIJ64A9Q0A
AAABAAAAUEsBAh4DFAAJAAgATaF8XYs2ADObAQAAnAYAAAEAGAAAAAAAAQAAAKSBAAAAAHFVVAUAAzI1C2t1eAsAAQQAAAAABAAAAABQSwECHgMKAAkAAABN
oXxdEMQ/0BEAAAAFAAAAAQAYAAAAAAABAAAApIHmAQAAc1VUBQADMjULa3V4CwABBAAAAAAEAAAAAFBLAQIeAwoAAAAAAE2hfF0AAAAAAAAAAAAAAAACABgA
AAAAAAAAEADtQUICAABkL1VUBQADMjULa3V4CwABBAAAAAAEAAAAAFBLAQIeAwoACQAAAE2hfF0nrgD1DQAAAAEAAAABABgAAAAAAAAAAAD/oX4CAABsVVQF
AAMyNQtrdXgLAAEEAAAAAAQAAAAAUEsFBgAAAAAEAAQAHQEAANYCAAAAAA==
B
x() { echo "$ $*"; "$@" < /dev/null; echo "rc=$?"; }
x unzip -l e.zip; x unzip -Z e.zip; x unzip -v e.zip
mkdir o; cd o; x unzip -P secret ../e.zip; sha256sum q s; rm -rf *; x unzip -q -P wrong ../e.zip; ls; rm -rf *
x unzip -q -o -P secret ../e.zip; x unzip -t -P secret ../e.zip; x unzip -t -P wrong ../e.zip; x unzip -tq -P wrong ../e.zip; x unzip -tqq -P wrong ../e.zip s; x unzip -p -P wrong ../e.zip q; x unzip -p -P secret ../e.zip s
cd ..; printf 'line %s\n' {1..300} > q; echo tiny > s; mkdir d; ln -s q l; : > empty
x zip -q -y -P secret n.zip q s d l empty; x unzip -t -P secret n.zip; unzip -p -P secret n.zip q | cmp - q; zip -q -P two -Z store st.zip q; unzip -p -P two st.zip | cmp - q
x zip -P secret n.zip s; echo plain > p; x zip n.zip p; x zip -d n.zip d/; unzip -tq -P secret n.zip; unzip -p n.zip p; cat q | zip -q -P secret - - > piped.zip; unzip -p -P secret piped.zip | cmp - q
python3 - <<'P'
import zipfile
for name in ("e.zip", "n.zip", "piped.zip"):
    with zipfile.ZipFile(name) as archive:
        for info in archive.infolist():
            print(name, info.filename, info.flag_bits & 1, len(archive.read(info, pwd=b"secret")))
P
x zip -P '' i.zip p; x zip -P
