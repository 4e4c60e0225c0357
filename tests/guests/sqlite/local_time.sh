# The modifiers `localtime` and `utc`: the zone is that of TZ.
for zone in Europe/Vienna America/New_York Asia/Kolkata UTC; do
  TZ=$zone sqlite3 :memory: "select datetime('2024-07-01 12:00:00', 'localtime'), datetime('2024-01-01 12:00:00', 'utc'), datetime('1970-01-02', 'localtime'), datetime('2040-07-01', 'localtime'), strftime('%H', 0, 'unixepoch', 'localtime')"
  TZ=$zone python3 -c "
import sqlite3
print(*sqlite3.connect(':memory:').execute(\"select datetime('2024-07-01 12:00:00', 'localtime'), date('2024-07-01 23:30:00', 'localtime')\").fetchone())"
done
