python3 -c 'import sys; sys.exit()'; echo $?
python3 -c 'import sys; sys.exit(7)'; echo $?
python3 -c 'import sys; sys.exit(256 + 3)'; echo $?
python3 -c 'import sys; sys.exit(-1)'; echo $?
python3 -c 'import sys; sys.exit("message")'; echo $?
python3 -c 'import sys; sys.exit([1])'; echo $?
python3 -c 'raise SystemExit'; echo $?
python3 -c 'exit(4)'; echo $?
python3 -c 'import os; os._exit(9)'; echo $?
python3 -c '1/0'; echo $?
python3 -c 'raise KeyboardInterrupt'; echo $?
python3 -c 'import os; os.abort()'; echo $?
python3 -c 'import os, signal; os.kill(os.getpid(), signal.SIGTERM)'; echo $?
python3 -c 'def f(:'; echo $?
