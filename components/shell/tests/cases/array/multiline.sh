a=(
  one   # comment
  two
  "three four"
)
echo ${#a[@]} "${a[2]}"
