import math, decimal, fractions, statistics, random, cmath, numbers, struct, array, operator
print(math.pi, math.sqrt(2), math.comb(50, 25), math.factorial(20), math.gcd(12, 18), math.isclose(0.1 + 0.2, 0.3), 2 ** 100, -7 // 2, -7 % 3, divmod(7, -2))
print(decimal.Decimal("1.1") + decimal.Decimal("2.2"), decimal.Decimal(1) / 7, fractions.Fraction(1, 3) + fractions.Fraction(1, 6), round(2.5), round(-0.5), round(2.675, 2))
print(statistics.mean([1, 2, 4]), statistics.median([1, 3, 2]), statistics.stdev([1, 2, 3, 4]), statistics.quantiles([1, 2, 3, 4, 5], n=4), statistics.linear_regression([1, 2, 3], [2, 4, 6]))
r = random.Random(42); print(r.random(), r.randint(1, 100), r.choice("abc"), r.sample(range(10), 3), r.gauss(0, 1), r.shuffle([1, 2]))
print(cmath.sqrt(-1), struct.pack("<IhQ", 1, -2, 3), struct.unpack(">f", b"\x3f\x80\x00\x00"), array.array("i", [1, 2]).tobytes(), float("nan"), 1e308 * 10, 0.1 + 0.2, 1e16, 123456789.123456789, 5e-324)
print(sum([0.1] * 10), math.fsum([0.1] * 10), int("ff", 16), bin(10), f"{1234567.891:,.2f} {0.000123:.2e} {255:#x} {5:08.3f} {-3:+d} {'x':>4}|{'y':^5}|", (10 ** 20).bit_length(), int.from_bytes(b"\x01\x00", "big"))
try: int("9" * 5000)
except ValueError as e: print(str(e)[:40])
