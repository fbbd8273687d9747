"""Hero Academy as a testbed for planning in turn-based multi-action games.

>>> import heroacademy as ha
>>> state = ha.new_game(ha.GameConfig(action_points=5), seed=7)
>>> [str(action) for action in state.legal_actions()[:3]]
['D ARCHER 0 0', 'D ARCHER 0 4', 'C ARCHER']
"""

from heroacademy import kernel_cache

kernel_cache.use()  # before any compiled function is imported

from heroacademy.action import Action  # noqa: E402
from heroacademy.agents.base import Budget, Plan  # noqa: E402
from heroacademy.agents.games import play  # noqa: E402
from heroacademy.agents.matches import Score, match  # noqa: E402
from heroacademy.agents.records import GameRecord, load_records, save_records  # noqa: E402
from heroacademy.agents.registry import agent_names, describe_agent, make_agent  # noqa: E402
from heroacademy.config import GameConfig  # noqa: E402
from heroacademy.engine.evaluation import EvaluationWeights  # noqa: E402
from heroacademy.errors import IllegalAction  # noqa: E402
from heroacademy.state import RatedAction, State, Unit, evaluate, new_game  # noqa: E402
from heroacademy.warmup import warm_up  # noqa: E402

__all__ = [
    "Action",
    "Budget",
    "EvaluationWeights",
    "GameConfig",
    "GameRecord",
    "IllegalAction",
    "Plan",
    "RatedAction",
    "Score",
    "State",
    "Unit",
    "agent_names",
    "describe_agent",
    "evaluate",
    "load_records",
    "make_agent",
    "match",
    "new_game",
    "play",
    "plot_state",
    "save_records",
    "warm_up",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str):
    """Matplotlib is imported when something is drawn: it is half the time of the import."""
    if name == "plot_state":
        from heroacademy.drawing import plot_state

        return plot_state
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
