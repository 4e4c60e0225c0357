# A report by shell and Python together: data through pipes, several python3 processes, exit statuses, artifacts.
here=$(dirname "$0")
out=.
[ -d /output ] && out=/output

# Make the data, look at it with the small tools, summarise it with pandas.
python3 - <<'PY' > sales.csv
import numpy as np
rng = np.random.default_rng(1)
print("shop,month,cents")
for shop, month, cents in zip(*(rng.integers(low, high, 300, dtype=np.int64) for low, high in ((0, 4), (1, 13), (100, 10_000)))):
    print(f"{'NESW'[shop]},{month},{cents}")
PY
head -n 3 sales.csv
echo "lines: $(wc -l < sales.csv)"
tail -n +2 sales.csv | cut -d, -f1 | sort | uniq -c | sed 's/^ *//'
awk -F, 'NR > 1 { sum[$1] += $3 } END { for (shop in sum) print shop, sum[shop] }' sales.csv | sort > by_awk.txt
python3 -c 'import pandas as pd
for shop, cents in pd.read_csv("sales.csv").groupby("shop")["cents"].sum().items(): print(shop, cents)' > by_pandas.txt
cmp by_awk.txt by_pandas.txt && echo "awk and pandas agree"

# Three processes in one pipe.
python3 -c 'import numpy as np; print(*np.arange(1, 11, dtype=np.int64) ** 2, sep="\n")' |
  grep -v 4 |
  python3 -c 'import sys, statistics, pandas as pd; v = pd.Series([int(line) for line in sys.stdin]); print("sum", v.sum(), "median", v.median(), "mode", statistics.mode(v % 10))'

# Two at once, in the background, each with a file of its own.
for part in 1 2; do
  python3 -c 'import sys, pandas as pd
part = int(sys.argv[1])
table = pd.read_csv("sales.csv")
half = table[table["month"].gt(6) == (part == 2)]
half.groupby("month")["cents"].sum().to_csv(f"half{part}.csv")' "$part" &
done
wait
tail -n +2 half1.csv | sort -t, -k2,2n | tail -n 1
cat half1.csv half2.csv | grep -c -v month

# A failure has a status and a message; so has one of pandas.
python3 -c 'import sys; sys.exit(3)' || echo "status $?"
python3 -c 'import pandas as pd; pd.read_csv("absent.csv")' 2> error.txt || echo "status $?: $(tail -n 1 error.txt | sed 's/\[Errno [0-9]*\] //')"
python3 -c 'import pandas as pd; print(pd.read_csv("sales.csv")["none"])' 2>&1 | tail -n 1

# A table as JSON for jq, and from the folder of this script.
python3 -c 'import pandas as pd; print(pd.read_csv("sales.csv").groupby("shop")["cents"].agg(["count", "max"]).to_json(orient="index"))' | jq -c 'to_entries | map({(.key): .value.count}) | add'
python3 -c 'import sys, pandas as pd; print(pd.read_csv(sys.argv[1], sep="|", on_bad_lines="skip").shape)' "$here/messy_log.txt"

# A script that names its interpreter, a module of the folder, a plot as an artifact, an archive of all.
mkdir -p lib
printf 'def euro(cents):\n    return f"{cents / 100:,.2f} EUR"\n' > lib/money.py
printf '#!/usr/bin/env python3\nimport sys\nsys.path.insert(0, "lib")\nimport matplotlib\nmatplotlib.use("agg")\nimport matplotlib.pyplot as plt, pandas as pd, money\nsums = pd.read_csv("sales.csv").groupby("month")["cents"].sum()\nsums.plot.bar(title="Cents by month")\nplt.savefig(sys.argv[1] + "/months.png")\nprint(money.euro(sums.max()))\n' > plot
chmod +x plot
./plot "$out"
head -c 4 "$out/months.png" | tail -c 3; echo
tar czf all.tgz sales.csv half1.csv half2.csv lib/money.py && tar tzf all.tgz | sort
gzip -k sales.csv && python3 -c 'import pandas as pd; print(len(pd.read_csv("sales.csv.gz")))'
