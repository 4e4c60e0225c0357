python3 -c 'import random; random.seed(1); print(random.random())'
python3 -c 'from random import random, seed; seed(1); print(random())'
python3 -c 'from random import *; seed(1); print(random())'
python3 -c 'import random; print("seed" in dir(random), callable(random.choice), random.Random(1).random())'
a=$(python3 -c 'import random; print(random.random())'); b=$(python3 -c 'import random; print(random.random())'); [ "$a" != "$b" ] && echo differ
python3 -c 'import random; random.nothing' 2>&1 | tail -1
python3 -c 'import os; print(os.environ["HOME"], flush=True); os.environ["X"] = "1"; os.system("echo $X")'
