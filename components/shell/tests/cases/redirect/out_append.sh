echo a > f; echo b >> f; cat f; echo c > f; cat f
