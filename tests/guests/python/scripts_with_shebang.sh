printf '#!/usr/bin/env python3\nimport sys\nprint("env", sys.argv[1:])\n' > /tmp/a.py; chmod +x /tmp/a.py; /tmp/a.py 1 2
printf '#!/usr/bin/python3\nprint("direct")\n' > /tmp/b.py; chmod +x /tmp/b.py; /tmp/b.py
cd /tmp; ./a.py x | cat
which python3; ls -l /usr/bin/python | grep -c 'python -> python3'
