"""N-Tuple Bandit Online Evolution."""

from __future__ import annotations

from dataclasses import dataclass

from heroacademy.agents.base import (
    Budget,
    Plan,
    best_of_option,
    count_outcomes_option,
    preset_option,
)
from heroacademy.agents.clock import Clock
from heroacademy.agents.evolution import genome_plan, greedy_starts_option, repair_option
from heroacademy.agents.horizon import REPLY, length_of_plan, length_of_turn
from heroacademy.agents.options import FLAG, SHARE, Checked, Choice, Number, Whole, option
from heroacademy.engine.evaluation import weights_array
from heroacademy.search import ntboe, tuples
from heroacademy.search.common import OUTCOMES, new_scratch
from heroacademy.search.hashset import MOST_OUTCOMES, places_for
from heroacademy.state import SEARCH_SALT, State, generator


@dataclass(frozen=True)
class NTBOE(Checked):
    """A model of good actions and pairs of actions chooses which turn to evaluate next.

    After Villabrille and Montoliu (2022), who took the idea from the N-Tuple Bandit EA of Lucas
    and others. `starts` turns are made at random; the best is the current one. Then, again and
    again, `neighbours` of the current turn are compared by the model, which takes no calls: the
    mean upper confidence bound over all their single actions and pairs of actions, by place.
    The best of them is evaluated, and the model learns its value.

    Hero Academy has no fixed list of actions, and most are illegal in most states. Chosen here:
    a neighbour's changed actions are drawn from those that are known at their place, which are
    the legal ones along every turn that was an improvement, and those of evaluated turns.
    Illegal actions are repaired when the neighbour is played, and the model learns what was
    played. A tuple that was never seen has the mean of all turns and counts as seen half a
    time, since most tuples of a neighbour are new; others try unseen ones first. The neighbour
    becomes the current turn if it is no worse (or always, as in Lucas's algorithm, with
    `always_move`); the best turn ever evaluated is played. Values lie between 0 and 1, so
    `exploration` is small. With `horizon="reply"` turns are valued after the reply of Greedy
    Action.
    """

    starts: int = option(50, Whole(1, 10**6), "random turns at first")
    greedy_starts: float = greedy_starts_option()
    neighbours: int = option(10, Whole(1, 10**6), "neighbours that the model compares")
    mutation: float = option(
        0.1, SHARE, "chance of an action of a neighbour to be changed, beside the one that is"
    )
    exploration: float = option(0.01, Number(0), "C of the upper confidence bound")
    always_move: bool = option(False, FLAG, "go on from a neighbour even if it is worse")
    repair: str = repair_option()
    best_of: int = best_of_option()
    horizon: str | None = option(
        None, Choice((None, REPLY)), "None is the turn, 'reply' the turn and the opponent's reply"
    )
    count_outcomes: bool = count_outcomes_option()
    preset: str = preset_option()
    name = "ntboe"
    version = 1

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Plan:
        game, weights = state.config.game, weights_array(self.preset)
        clock = Clock(budget, state)
        settings = self._settings(state)
        search = self._room(state, clock)
        scratch = new_scratch(state.array, generator(seed, SEARCH_SALT))

        def advance(steps: int, call_limit: int) -> bool:
            ntboe.advance(game, search, settings, scratch, weights, steps, call_limit, clock.counts)
            return True

        def best_value() -> float | None:
            return int(search.values[ntboe.BEST]) if search.model.counts[tuples.TURNS] else None

        clock.run(advance, best_value)
        stats = clock.stats("iterations") | {"tuples": int(search.model.counts[tuples.ENTRIES])}
        if self.count_outcomes:
            stats["unique_outcomes"] = int(clock.counts[OUTCOMES])
        return genome_plan(state, search.best, self.preset, stats)

    def _settings(self, state: State) -> ntboe.Settings:
        return ntboe.Settings(
            player=state.player,
            starts=self.starts,
            greedy_starts=round(self.starts * self.greedy_starts),
            neighbours=self.neighbours,
            mutation=float(self.mutation),
            exploration=float(self.exploration),
            always_move=bool(self.always_move),
            greedy_repair=self.repair == "greedy",
            rated_repair=self.repair == "rated",
            best_of=self.best_of,
            beyond=length_of_plan(self.horizon, state) - length_of_turn(state),
        )

    def _room(self, state: State, clock: Clock) -> ntboe.Search:
        turn = length_of_turn(state)
        if turn > tuples.LONGEST_TURN:
            raise ValueError(f"a turn of {turn} actions: use at most {tuples.LONGEST_TURN}")
        outcomes = places_for(clock.room(MOST_OUTCOMES))
        return ntboe.new_search(
            turn,
            length_of_plan(self.horizon, state),
            places_for(min(tuples.MOST_TUPLES, clock.room(MOST_OUTCOMES) * turn)),
            1 if self.horizon is None else outcomes,
            outcomes if self.count_outcomes else 0,
        )
