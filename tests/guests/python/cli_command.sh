python3 -c 'import sys; print(sys.argv, __name__, repr(sys.path[0]))' a -b --c
python3 -c '
  x = 1
  print(x)
'
python -c 'print("called python")'
