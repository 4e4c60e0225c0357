"""Graphs with networkx."""
import bz2
import gzip
import random

import networkx as nx

graph = nx.Graph()
graph.add_weighted_edges_from([("a", "b", 4), ("a", "c", 2), ("c", "b", 1), ("b", "d", 5), ("e", "f", 1)])
print(graph, nx.shortest_path(graph, "a", "d", weight="weight"), nx.dijkstra_path_length(graph, "a", "d"))
print([sorted(part) for part in nx.connected_components(graph)], dict(graph.degree), sorted(nx.minimum_spanning_edges(graph, data=False)))
order = nx.DiGraph([("shirt", "tie"), ("tie", "jacket"), ("trousers", "shoes"), ("trousers", "jacket")])
print(list(nx.lexicographical_topological_sort(order)), nx.is_directed_acyclic_graph(order), nx.ancestors(order, "tie"), nx.dag_longest_path_length(order))
flow = nx.DiGraph()
flow.add_edge("s", "a", capacity=3)
flow.add_edge("s", "b", capacity=2)
flow.add_edge("a", "t", capacity=2)
flow.add_edge("b", "t", capacity=3)
flow.add_edge("a", "b", capacity=1)
print(nx.maximum_flow_value(flow, "s", "t"), nx.minimum_cut_value(flow, "s", "t"))
club = nx.karate_club_graph()
print(club.number_of_nodes(), round(nx.average_clustering(club), 4), round(nx.betweenness_centrality(club)[0], 4), nx.diameter(club))
print([len(part) for part in nx.community.greedy_modularity_communities(club)], max(nx.degree_centrality(club), key=nx.degree_centrality(club).get))
print(sorted(nx.find_cliques(club), key=len)[-1] and max(map(len, nx.find_cliques(club))), nx.is_bipartite(nx.cycle_graph(6)))
print(len(nx.graph_atlas_g()), nx.is_isomorphic(nx.path_graph(3), nx.star_graph(2)), sorted(nx.greedy_color(nx.cycle_graph(5)).values()))
for name in ("/tmp/g.edges", "/tmp/g.edges.gz", "/tmp/g.edges.bz2"):
    nx.write_weighted_edgelist(graph, name)
    print(nx.read_weighted_edgelist(name).size(weight="weight"), open(name, "rb").read(2))
print(len(gzip.open("/tmp/g.edges.gz").read()) == len(bz2.open("/tmp/g.edges.bz2").read()))
nx.write_graphml(graph, "/tmp/g.graphml")
nx.write_gml(graph, "/tmp/g.gml")
print(nx.read_graphml("/tmp/g.graphml").edges["a", "b"], nx.read_gml("/tmp/g.gml").edges["a", "c"], nx.node_link_graph(nx.node_link_data(graph)).number_of_edges())
print(nx.gnp_random_graph(20, 0.3, seed=7).number_of_edges(), nx.erdos_renyi_graph(10, 0.5, seed=random.Random(1)).number_of_edges())
print("\n".join(nx.generate_network_text(order)))
try:
    nx.shortest_path(graph, "a", "f")
except nx.NetworkXNoPath as error:
    print(error)
try:
    nx.pagerank(order)
except ImportError as error:
    print(type(error).__name__, error.name)
try:
    nx.draw(graph)
except ImportError as error:
    print(type(error).__name__, error.name)
