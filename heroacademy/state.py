"""A position of the game: the immutable face of the state array."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from heroacademy.action import Action
from heroacademy.config import GameConfig
from heroacademy.engine import (
    actions,
    evaluation,
    hashing,
    layout,
    legal,
    tables,
    targets,
    turns,
    units,
)
from heroacademy.engine.bits import mix, random_below
from heroacademy.engine.evaluation import PRESETS, EvaluationWeights, weights_array
from heroacademy.engine.game import map_squares, square_of
from heroacademy.errors import IllegalAction, in_range, one_of

PLAYERS = (1, 2)
MAX_SEED = 2**63 - 1
# Tell the uses of a seed apart.
GAME_SALT, REDETERMINE_SALT, SEARCH_SALT = 0x47414D45, 0x52454454, 0x53454152


class Unit(NamedTuple):
    """A unit or crystal on the board, as in the recorded games' `units` lists."""

    x: int
    y: int
    owner: int
    name: str
    hp: int
    max_hp: int
    items: str


class RatedAction(NamedTuple):
    """A legal action, how promising it looks (higher is better), and whether it is pruned."""

    action: Action
    rating: int
    pruned: bool


class State:
    """A position. Nothing changes it: `apply` returns a new one.

    >>> import heroacademy as ha
    >>> state = ha.new_game(ha.GameConfig(), seed=7)
    >>> state.player, state.turn, state.action_points, state.winner
    (1, 1, 3, None)
    >>> after = state.apply(state.legal_actions()[0])
    >>> after.action_points, state.action_points
    (2, 3)
    """

    __slots__ = ("_config", "_words")

    def __init__(self, config: GameConfig, words: np.ndarray):
        """Wrap a state array (see `heroacademy.engine.layout`), which is copied."""
        words = np.array(words, dtype=np.int64)
        if words.shape != (layout.STATE_SIZE,):
            raise ValueError(
                f"a state array has shape ({layout.STATE_SIZE},), this one {words.shape}"
            )
        object.__setattr__(self, "_config", config)
        object.__setattr__(self, "_words", words)

    def __setattr__(self, name, value):
        raise AttributeError("a State cannot be changed; `apply` returns a new one")

    # --- what there is ------------------------------------------------------------------

    @property
    def config(self) -> GameConfig:
        return self._config

    @property
    def player(self) -> int:
        """The player to move, 1 or 2."""
        return int(self._words[layout.PLAYER])

    @property
    def turn(self) -> int:
        """The turn counter, both players' turns, from 1."""
        return int(self._words[layout.TURN])

    @property
    def action_points(self) -> int:
        """Action points left in this turn."""
        return int(self._words[layout.AP])

    @property
    def is_terminal(self) -> bool:
        return self.winner is not None

    @property
    def winner(self) -> int | None:
        """None while the game goes on, then 1, 2 or 0 for a draw."""
        winner = int(self._words[layout.WINNER])
        return None if winner == layout.UNDECIDED else winner

    @property
    def units(self) -> list[Unit]:
        """Units and crystals on the board, knocked-down ones included, by x, then y."""
        found = []
        occupied = int(self._words[layout.UNITS + 1] | self._words[layout.UNITS + 2])
        while occupied:
            square = lowest_square(occupied)
            occupied &= occupied - 1
            found.append(_unit(square, int(self._words[square])))
        return sorted(found)

    def hand(self, player: int) -> list[str]:
        """Names of the cards in a player's hand, in card order."""
        return _card_names(self._words[layout.HAND + one_of("player", player, PLAYERS)])

    def deck(self, player: int) -> list[str]:
        """Names of the cards in a player's deck, in card order."""
        return _card_names(self._words[layout.DECK + one_of("player", player, PLAYERS)])

    def is_alive(self, player: int) -> bool:
        """Whether a player has a crystal, and a unit on the board, in hand or in deck."""
        return bool(turns.is_alive(self._words, one_of("player", player, PLAYERS)))

    @property
    def array(self) -> np.ndarray:
        """A copy of the state array, for compiled code; see `heroacademy.engine.layout`."""
        return self._words.copy()

    # --- what can be done ---------------------------------------------------------------

    def legal_actions(self, pruned: bool = False) -> list[Action]:
        """All legal actions; empty only when the game is over.

        `pruned` leaves out what the search agents never try: casts of Inferno that another
        cast outdoes, and swaps of a card held once. It keeps them if nothing else is left.
        """
        codes = np.empty(layout.MAX_ACTIONS, np.int64)
        n = legal.legal_actions(self._config.game, self._words, bool(pruned), codes, None)
        return [Action.of_code(code) for code in codes[:n].tolist()]

    def count_actions(self, pruned: bool = False) -> int:
        """How many `legal_actions` there are, many times faster than listing them."""
        codes = np.empty(layout.MAX_ACTIONS, np.int64)
        return legal.legal_actions(self._config.game, self._words, bool(pruned), codes, None)

    def rated_actions(self) -> list[RatedAction]:
        """All legal actions with their ratings and with what pruning says of them.

        Unlike `legal_actions(pruned=True)`, this may mark every action as pruned.
        """
        codes = np.empty(layout.MAX_ACTIONS, np.int64)
        ratings = np.empty(layout.MAX_ACTIONS, np.int64)
        n = legal.legal_actions(self._config.game, self._words, False, codes, ratings)
        hand = self.hand(self.player)
        enemies = self._words[layout.UNITS + 3 - self.player]
        casts = int(targets.best_casts(self._config.game, enemies))

        def is_pruned(action: Action) -> bool:
            if action.card == "INFERNO" and action.target:
                return not casts >> square_of(*action.target) & 1
            return action.kind == "swap card" and hand.count(action.card) == 1

        listed = map(Action.of_code, codes[:n].tolist())
        return [
            RatedAction(action, rating, is_pruned(action))
            for action, rating in zip(listed, ratings[:n].tolist(), strict=True)
        ]

    def is_legal(self, action: Action | str) -> bool:
        code = _as_action(action).code
        return bool(legal.is_legal(self._config.game, self._words, code))

    def apply(self, action: Action | str) -> State:
        """The state after an action; raises IllegalAction if the rules do not allow it."""
        action = _as_action(action)
        game = self._config.game
        if not legal.is_legal(game, self._words, action.code):
            from heroacademy.explain import rule_broken

            raise IllegalAction(f"{action} is illegal here: {rule_broken(self, action)}")
        after = State(self._config, self._words)
        actions.apply(game, after._words, action.code)
        return after

    def redetermine(self, player: int, seed: int) -> State:
        """A state in which what `player` cannot see is drawn anew.

        That is the other player's hand, which keeps its size, and the order of both decks.
        """
        player = one_of("player", player, PLAYERS)
        after = State(self._config, self._words)
        rng = generator(seed, salt=REDETERMINE_SALT)
        turns.redetermine(self._config.game, after._words, player, rng)
        return after

    # --- forms --------------------------------------------------------------------------

    def to_dict(self) -> dict:
        """The STATE object of the recorded games; `from_dict` reads it back."""
        from heroacademy import forms

        return forms.to_dict(self)

    @staticmethod
    def from_dict(data: dict, config: GameConfig) -> State:
        from heroacademy import forms

        return forms.from_dict(data, config)

    def to_text(self) -> str:
        """One complete line, settings included; `from_text` reads it back."""
        from heroacademy import forms

        return forms.to_text(self)

    @staticmethod
    def from_text(text: str) -> State:
        from heroacademy import forms

        return forms.from_text(text)

    def __repr__(self) -> str:
        return f"State.from_text({self.to_text()!r})"

    def __str__(self) -> str:
        """The board, hands and decks, drawn with letters."""
        from heroacademy.terminal import board_text

        return board_text(self)

    def _repr_png_(self) -> bytes:
        from heroacademy.drawing import state_png

        return state_png(self)

    # --- values -------------------------------------------------------------------------

    @property
    def key(self) -> int:
        """A 64-bit hash of the whole state, equal for equal states on every machine."""
        return int(hashing.hash_state(self._words))

    def __eq__(self, other) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self._config == other._config and np.array_equal(self._words, other._words)

    def __hash__(self) -> int:
        return hash((self._config, self.key))

    def __reduce__(self):
        return State, (self._config, self._words)


def new_game(config: GameConfig | None = None, seed: int = 0) -> State:
    """Deal a new game. Equal settings and seed give the same game, always.

    >>> new_game(seed=7) == new_game(seed=7)
    True
    """
    config = GameConfig() if config is None else config
    if not isinstance(config, GameConfig):
        raise TypeError(f"{config!r} is no GameConfig")
    rng = generator(seed, salt=GAME_SALT)
    draw_seeds = tuple(int(random_below(rng, turns.INITIAL_SEEDS)) for _ in PLAYERS)
    return deal_game(config, draw_seeds, int(rng[0]))


def generator(seed: int, salt: int) -> np.ndarray:
    """A random generator for compiled code; seeds with different salts are unrelated."""
    seed = in_range("seed", seed, 0, MAX_SEED)
    return np.array([mix(np.int64(seed ^ salt))], np.uint64).view(np.int64)


def deal_game(config: GameConfig, draw_seeds: tuple[int, int], rng: int) -> State:
    """The start of a game from the draw seeds of both decks before dealing.

    `rng` is the state of the generator of random draws, used only with `draws="random"`.
    """
    words = np.zeros(layout.STATE_SIZE, np.int64)
    words[layout.PLAYER] = 1
    words[layout.TURN] = 1
    words[layout.AP] = config.first_points
    words[layout.WINNER] = layout.UNDECIDED
    if config.draws == "random":
        words[layout.RNG] = rng
    for square, letter in map_squares(tables.MAPS[config.map]).items():
        if letter in "cC":
            crystal = tables.CRYSTAL
            owner = "cC".index(letter) + 1
            word = layout.unit_word(owner, crystal, 0, int(tables.BASE_HP[crystal]))
            units.put(words, square, word)
    for player in PLAYERS:
        words[layout.DECK + player] = pack_cards(tables.DECKS[config.deck])
        words[layout.DRAW_SEED + player] = draw_seeds[player - 1]
    turns.deal(config.game, words)
    return State(config, words)


def evaluate(state: State, player: int, preset: str | EvaluationWeights = "aicademy") -> int:
    """Static value of a state for a player, from -60000 (lost) to 60000 (won).

    preset: "aicademy" (what the reference program computes), "paper" (equations 2 and 3 and
    Table I of the OEP paper), or weights of your own.

    >>> evaluate(new_game(seed=7), player=1)
    0
    """
    player = one_of("player", player, PLAYERS)
    if not isinstance(preset, EvaluationWeights):
        one_of("evaluation preset", preset, PRESETS)
    weights = weights_array(preset)
    return int(evaluation.evaluate(state.config.game, state._words, player, weights))


def pack_cards(counts) -> int:
    """Card counts in card order, as the packed multiset of the state array."""
    return sum(int(n) << layout.CARD_BITS * card for card, n in enumerate(counts))


def unpack_cards(cards: int) -> list[int]:
    """Card counts in card order, from the packed multiset of the state array."""
    return [
        int(cards) >> layout.CARD_BITS * card & layout.CARD_FIELD for card in range(tables.N_CARDS)
    ]


def lowest_square(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def _card_names(cards: int) -> list[str]:
    counts = unpack_cards(cards)
    return [name for name, n in zip(tables.CARD_NAMES, counts, strict=True) for _ in range(n)]


@lru_cache(maxsize=1 << 14)
def _unit(square: int, word: int) -> Unit:
    items = layout.unit_items(word)
    return Unit(
        square % layout.WIDTH,
        square // layout.WIDTH,
        layout.unit_owner(word),
        tables.CLASS_NAMES[layout.unit_class(word)],
        layout.unit_hp(word),
        int(units.max_hp(word)),
        "".join(letter for i, letter in enumerate(tables.ITEM_LETTERS) if items >> i & 1),
    )


def _as_action(action: Action | str) -> Action:
    if isinstance(action, Action):
        return action
    if isinstance(action, str):
        return Action.parse(action)
    raise TypeError(f"{action!r} is no action: use an Action or its text form")
