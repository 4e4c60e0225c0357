"""Mathematics: SymPy and mpmath."""
import mpmath
from sympy import (
    Derivative, Eq, Function, I, Integral, Matrix, Rational, Sum, apart, diff, dsolve, expand, factor, factorint, integrate, isprime,
    lambdify, latex, limit, oo, pi, pretty, series, simplify, sin, solve, solveset, sqrt, symbols, sympify, cos, exp, nsolve, S,
)

x, y, n = symbols("x y n")
print(expand((x + y) ** 3), factor(x**3 - 1), simplify(sin(x) ** 2 + cos(x) ** 2), apart(1 / (x**2 - 1)))
print(diff(sin(x) * exp(x), x), integrate(x**2 * exp(-x), (x, 0, oo)), integrate(1 / (1 + x**2), x), limit(sin(x) / x, x, 0))
print(solve([x + y - 3, x - y - 1], [x, y]), solve(x**2 + 1), solveset(x**2 - 2, x, S.Reals), nsolve(cos(x) - x, 1))
print(series(exp(x), x, 0, 5), Sum(n, (n, 1, 10)).doit(), Sum(1 / n**2, (n, 1, oo)).doit())
matrix = Matrix([[2, 1], [1, 2]])
print(matrix.det(), matrix.inv(), matrix.eigenvals(), matrix.diagonalize()[1])
f = Function("f")
print(dsolve(Eq(f(x).diff(x), f(x)), f(x)), latex(Integral(sqrt(x), x)), Derivative(f(x), x))
print(pretty(sqrt(x + 1) / 2), sympify("2*x + 1/3"), Rational(1, 3) + Rational(1, 6), (1 + I) ** 4, pi.evalf(30))
print(factorint(2**32 + 1), isprime(2**61 - 1), lambdify(x, x**2 + 1)(3), lambdify([x, y], x * y, "math")(2, 4))
mpmath.mp.dps = 40
print(mpmath.pi, mpmath.quad(lambda t: mpmath.exp(-t * t), [-mpmath.inf, mpmath.inf]), mpmath.findroot(mpmath.cos, 1.5))
print(mpmath.zeta(3), mpmath.matrix([[1, 2], [3, 4]]) ** -1, mpmath.polyroots([1, -3, 2]), mpmath.nsum(lambda k: 1 / k**4, [1, mpmath.inf]))
