# The index's address has to be named: pip asks once, and the last line has the key.
cd; pip install hello-wisp > log 2>&1; echo "status $?"; grep -c Retrying log; tail -n 1 log
echo '== retries of a program are for bad lines, too'
python3 - <<'E'
import os, requests, urllib3

session = requests.Session()
# The pause before another attempt would be an hour.
session.mount("http://", requests.adapters.HTTPAdapter(max_retries=urllib3.Retry(5, backoff_factor=3600, backoff_max=3600)))
try:
    session.get(os.environ["PIP_INDEX_URL"])
except requests.ConnectionError as error:
    print("denied by wisp" in str(error))
E
