# The commands that the packages bring.
printf 'a,b\n1,2\n' | tabulate -1 -s , -f github
echo '# Title *x*' | markdown_py
echo 'x = 1' | pygmentize -l python -f html -O nowrap
seq 3 | tqdm 2>/dev/null | wc -l
python3 -m tabulate --help | head -n 1
python3 -m rich.markdown --help | head -n 1
pytest --version
