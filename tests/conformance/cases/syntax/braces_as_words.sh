exec 2>&1
echo {a; echo }; echo {}; echo { a; }
