# Lists show local time, zip stores it beside the moment, and dates of the command line are local.
cd "$(mktemp -d)" || exit 1
export TZ=Europe/Berlin
echo hello > f; touch -d @1720000000 f; echo hallo > g; touch -d @1704067201 g
tar -cf t.tar --owner=u:1 --group=g:1 f g; tar -tvf t.tar; tar --full-time -tvf t.tar; tar --utc -tvf t.tar; TZ=America/New_York tar -tvf t.tar
TZ='<+0530>-5:30' tar -tvf t.tar; TZ=CET-1CEST,M3.5.0,M10.5.0/3 tar -tvf t.tar; TZ=:Asia/Tokyo tar -tvf t.tar; TZ=Nowhere/City tar -tvf t.tar
for at in '2024-07-03 11:46:40' '2024-07-03' '2024-07-03T09:46:40Z' '2024-07-03 09:46:40 UTC' 'UTC 2024-07-03' '2024-07-03 05:46:40 -0400' '2024-07-03 15:16:40+05:30' '2024-01-03 12:00:00' @5; do
  tar -cf m.tar --mtime="$at" f; tar --utc --full-time -tvf m.tar | awk '{print $4, $5}'
done
for at in '2024-07-03 11:46:40' '2024-07-03 11:46:41'; do tar -cf n.tar --newer-mtime="$at" f g; tar -tf n.tar; echo -; done
zip -q z.zip f g; unzip -l z.zip; unzip -v z.zip | awk '$5 ~ /^20/ {print $5, $6}'; unzip -Z z.zip | awk '$7 ~ /-/ {print $7, $8}'; TZ=Asia/Tokyo unzip -l z.zip | awk '$2 ~ /^20/ {print $2, $3}'
zip -qX x.zip f g; unzip -l x.zip | awk '$2 ~ /^20/ {print $2, $3}'; TZ=Asia/Tokyo unzip -l x.zip | awk '$2 ~ /^20/ {print $2, $3}'
for zone in Europe/Berlin America/New_York UTC; do mkdir o; (cd o; export TZ=$zone; for a in z x; do unzip -qo ../$a.zip; stat -c '%n %Y' f g; done); rm -r o; done
zip -q -t 2024-07-03 a.zip f g; unzip -Z1 a.zip; zip -q -tt 07032024 b.zip f g; unzip -Z1 b.zip
touch -d '2024-07-03 00:30' f; zip -q -t 07032024 c.zip f g; unzip -Z1 c.zip; touch -d '2024-07-02 23:30' f; zip -q -t 07032024 d.zip f g; echo $?
gzip -kN f; gzip -lv f.gz | awk 'NR > 1 {print $3, $4, $5}'; TZ=UTC gzip -lv f.gz | awk 'NR > 1 {print $3, $4, $5}'
