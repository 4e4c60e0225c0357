"""Formulas and graphs: sympy solves, differentiates and prints; networkx finds paths, flows and communities; exact decimals for money."""

import decimal
import fractions
import io

import networkx as nx
import numpy as np
import pandas as pd
import sympy as sp

x, y, n = sp.symbols("x y n")

# --- sympy.
print(sp.solve(x**2 - 5 * x + 6, x), sp.solve([x + y - 3, x - y - 1], [x, y]), sp.factor(x**3 - x), sp.expand((x + 1) ** 3))
print(sp.diff(sp.sin(x) * sp.exp(x), x), "|", sp.integrate(1 / (1 + x**2), (x, -sp.oo, sp.oo)), "|", sp.limit(sp.sin(x) / x, x, 0))
print("|", sp.series(sp.cos(x), x, 0, 6))
print(sp.summation(n**2, (n, 1, 10)), sp.simplify(sp.sin(x) ** 2 + sp.cos(x) ** 2), sp.latex(sp.sqrt(x / 2)))
print(sp.Rational(1, 3) + sp.Rational(1, 6), sp.N(sp.pi, 30))
matrix = sp.Matrix([[2, 1], [1, 2]])
print(matrix.eigenvals(), matrix.inv(), matrix.det(), list(sp.primerange(20, 40)), sp.factorint(3600))
area = sp.lambdify((x, y), x**2 + sp.sin(y), "numpy")
print(area(np.array([1.0, 2.0]), 0.0).tolist(), sp.nsolve(sp.cos(x) - x, 1).round(6), sp.sympify("2*x + x").subs(x, 4))
f = sp.Function("f")
print(sp.dsolve(f(x).diff(x) - 2 * f(x), f(x)), sp.binomial(20, 6), sp.pretty(x**2 / 3, use_unicode=False).splitlines())

# --- networkx: a small railway.
lines = pd.read_csv(
    io.StringIO(
        "a,b,km\nAmsterdam,Utrecht,40\nUtrecht,Arnhem,60\nUtrecht,Eindhoven,90\nAmsterdam,Rotterdam,75\nRotterdam,Eindhoven,110\nEindhoven,Maastricht,85\nGroningen,Leeuwarden,55\n"
    )
)
rail = nx.from_pandas_edgelist(lines, "a", "b", "km")
print(rail.number_of_nodes(), rail.number_of_edges(), sorted(map(len, nx.connected_components(rail))), dict(rail.degree())["Utrecht"])
print(nx.shortest_path(rail, "Amsterdam", "Maastricht", weight="km"), nx.shortest_path_length(rail, "Rotterdam", "Arnhem", weight="km"))
print(nx.has_path(rail, "Groningen", "Utrecht"))
tree = nx.minimum_spanning_tree(rail, weight="km")
print("tree", sum(data["km"] for *_, data in tree.edges(data=True)), sorted(sorted(pair) for pair in nx.bridges(rail))[0], len(nx.cycle_basis(rail)[0]))
central = nx.betweenness_centrality(rail)
print("central", max(central, key=central.get), round(central["Utrecht"], 4))
print("page rank", max(nx.pagerank(rail, weight="km").items(), key=lambda pair: pair[1])[0])
tasks = nx.DiGraph([("plan", "build"), ("build", "test"), ("plan", "write"), ("write", "ship"), ("test", "ship")])
print(list(nx.lexicographical_topological_sort(tasks)), nx.dag_longest_path_length(tasks), nx.is_directed_acyclic_graph(tasks))
print(sorted(nx.ancestors(tasks, "ship")))
pipes = nx.DiGraph()
pipes.add_weighted_edges_from([("s", "a", 4), ("s", "b", 2), ("a", "t", 3), ("b", "t", 3), ("a", "b", 2)], weight="capacity")
print("flow", nx.maximum_flow_value(pipes, "s", "t"), nx.minimum_cut_value(pipes, "s", "t"))
print(nx.to_numpy_array(pipes, nodelist=["s", "a", "b", "t"], weight="capacity").astype("int64").tolist()[0])
club = nx.karate_club_graph()
print("club", club.number_of_nodes(), nx.diameter(club), round(nx.average_clustering(club), 4), len(list(nx.community.greedy_modularity_communities(club))))

# --- Money and fractions, exact.
prices = [decimal.Decimal(text) for text in ("0.10", "0.20", "19.99")]
tax = (sum(prices) * decimal.Decimal("0.19")).quantize(decimal.Decimal("0.01"), decimal.ROUND_HALF_UP)
with decimal.localcontext() as context:
    context.prec = 40
    print(sum(prices), tax, decimal.Decimal(2).sqrt(), fractions.Fraction(0.125) + fractions.Fraction(1, 3), round(decimal.Decimal("2.675"), 2))
print(pd.Series(prices).sum(), f"{decimal.Decimal('1234567.891'):,.2f}", decimal.Decimal("1E+3").normalize() == 1000)
