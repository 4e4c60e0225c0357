# Encodings of one and of several bytes: what the C library has, not what the web has.
exec 2>&1
hex() { od -An -tx1 | tr -d ' \n'; echo; }
text='a Ж ж 日本語 世界 漢字 한국어 “q” \'
for c in GBK GB2312 GB18030 BIG5 EUC-JP SHIFT_JIS CP932 ISO-2022-JP EUC-KR UHC; do
  printf '%s: ' $c; printf '%s' "$text" | iconv -c -f UTF-8 -t $c | hex; printf '%s' "$text" | iconv -c -t $c 2>/dev/null | iconv -f $c; echo
done
for c in KOI8-R KOI8-U CP1251 CP866 ISO-8859-5 MAC-CYRILLIC IBM855 KOI8-T; do printf '%s: ' $c; printf 'Привет, ё № «»' | iconv -c -t $c 2>/dev/null | hex; printf 'Привет, ё' | iconv -t $c | iconv -f $c; echo; done
for c in CP437 CP850 CP852 CP858 ISO-8859-1 ISO-8859-2 ISO-8859-15 CP1250 CP1252 MACINTOSH HP-ROMAN8 IBM037 IBM273 IBM500 CP1140; do printf '%s: ' $c; printf 'Aé ü ß ł € ½\n' | iconv -c -t $c 2>/dev/null | hex; done
for c in ISO-8859-7 CP1253 CP737; do printf 'Ελλάς ώ' | iconv -t $c | hex; done; for c in CP1256 ISO-8859-6 CP864; do printf 'سلام' | iconv -c -t $c 2>/dev/null | hex; done
for c in ISO-8859-8 CP1255 CP862; do printf 'שלום' | iconv -t $c | hex; done; for c in TIS-620 CP874; do printf 'สวัสดี' | iconv -t $c | hex; done
# ISO-8859-1 is not windows-1252, and where a byte is no character it is an error.
printf '\200\222\237' | iconv -f ISO-8859-1 -t UTF-16BE | hex; printf '\200\222\237' | iconv -f CP1252 | hex; 
try() { printf "$1" | iconv $2 > o 2> e; echo "$2: $? $(od -An -tx1 < o | tr -d ' \n') $(cat e)"; }
try 'a\201' '-f CP1252'; try '\241' '-f ISO-8859-6'; try 'ab\261' '-f GBK'; try 'ab\377\377' '-f EUC-KR'; try '\201\101' '-f UHC'; try '日本' '-t KOI8-R'
try '\201\140\134' '-f SHIFT_JIS'; try '\201\140\134' '-f CP932'; try '\241\301\217\253\261' '-f EUC-JP'; try '\241\244\241\252' '-f GB2312'; try '\241\244\241\252' '-f GBK'
printf '\261\340\302\353\n' > gbk.txt; iconv -f gbk -t utf8 gbk.txt -o out; cat out; iconv -f gbk -t big5//TRANSLIT gbk.txt | hex; iconv -l | wc -l | awk '{print ($1 > 60)}'
# Half a character at the end.
for t in 'abc\303' 'caf\303\251 x\342\202' 'a\342\202' 'a\n\346' 'caf\303\251 \360\237\230' 'caf\303\251 \377'; do printf "$t" > half; file -b half; file -b --mime-encoding half; done
python3 -c "print('é' * 400); print('é' * 200)" > long; file -b long
