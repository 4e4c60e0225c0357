python3 -O -c 'import sys; assert False; print(sys.flags.optimize, __debug__)'
python3 -OO -B -s -E -u -c 'import sys; print(sys.flags.optimize, sys.dont_write_bytecode, sys.flags.ignore_environment, sys.flags.no_user_site)'
python3 -I -c 'import sys; print(sys.flags.isolated, sys.flags.safe_path, sys.path[0])'
python3 -S -c 'import sys; print([p for p in sys.path if "site" in p])'
python3 -X dev -X foo=bar -c 'import sys; print(sys._xoptions, sys.flags.dev_mode)'
python3 -O -c 'import sys; print(sys.flags.context_aware_warnings, sys.flags.n_sequence_fields == len(sys.flags.__match_args__), repr(sys.flags)[:18])'
python3 -Wi -c 'print(1)'; python3 -bqc 'print("cluster")'
cd /tmp; printf 'assert False\nprint("optimized import")\n' > m.py; python3 -O -c 'import m'
python3 -P -c 'import m' ; echo $?
