import sys, gc
big = bytearray(100 << 20); big[-1] = 7; print(len(big), big[-1]); del big
print(sum(len(str(i)) for i in range(200_000)), len([object() for _ in range(300_000)]), gc.isenabled(), gc.collect() >= 0)
class Node:
    def __init__(self): self.me = self
for _ in range(100_000): Node()
print("collected")
