echo 'import sys; print(sys.argv, __name__, __file__)' | python3
echo 'import sys; print(sys.argv)' | python3 - a b
printf 'def f():\n    return 1/0\nf()\n' | python3; echo $?
python3 <<'EOF'
for i in range(2):
    print("here", i)
EOF
