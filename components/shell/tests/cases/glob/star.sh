touch a.txt b.txt c.md .hid; echo *; echo *.txt; echo .h*; echo *.none; echo "*.txt" '*'
