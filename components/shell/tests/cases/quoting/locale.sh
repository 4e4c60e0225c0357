echo $"hello $((1+1))"
