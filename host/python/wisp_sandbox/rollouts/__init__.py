"""Many runs from one state, for training and evaluation: groups of attempts, tree search, episodes of several steps.

    from wisp_sandbox.rollouts import Limits, Pool

    async with Pool(seed=7) as pool:
        base = await pool.checkpoint(["import math"])
        async for rollout in pool.map(base, ["math.factorial(5)"], group=4, limits=Limits(wall=5)):
            print(rollout.index, rollout.member, rollout.outcome.kind, rollout.value)

Each runs in a fork of its checkpoint, with a seed of its own. A fault of wisp or the machine is tried again from the same state with the same
seed; one that stays is no result, and whatever would score it raises its `InfraError`.
"""

from ._checkpoint import Checkpoint, Limits, SetupError
from ._pool import Pool
from ._rollout import Outcome, Rollout
from ._session import Session

__all__ = ["Checkpoint", "Limits", "Outcome", "Pool", "Rollout", "Session", "SetupError"]
