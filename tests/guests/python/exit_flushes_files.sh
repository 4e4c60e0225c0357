python3 -c 'f = open("/tmp/f.txt", "w"); f.write("no close")'
cat /tmp/f.txt; echo
python3 -c 'f = open("/tmp/g.txt", "w"); f.write("lost"); import os; os._exit(0)'
wc -c < /tmp/g.txt | tr -d ' '
