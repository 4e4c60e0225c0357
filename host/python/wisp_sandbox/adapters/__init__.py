"""wisp in frameworks of others: a module for each, which needs that framework (`pip install "wisp-sandbox[deepagents]"`).

`wisp_sandbox` itself imports none of them.
"""
