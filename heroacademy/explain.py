"""Why an action is illegal, in words.

Written for people and apart from the compiled legality test; a test checks that the two agree.
"""

from __future__ import annotations

from heroacademy.action import Action
from heroacademy.engine import tables as t
from heroacademy.engine.game import BETWEEN, map_squares, square_of
from heroacademy.engine.layout import N_SQUARES
from heroacademy.state import State, Unit

_ITEM_LETTER = {"RUNEMETAL": "R", "SCROLL": "S", "DRAGONSCALE": "D", "SHINING_HELM": "H"}


def rule_broken(state: State, action: Action) -> str | None:
    """The rule that an action breaks, None if it is legal."""
    if state.is_terminal:
        return "the game is over"
    if action.kind == "end turn":
        if state.action_points and state.legal_actions() != [action]:
            return f"{state.action_points} action points are left and there are things to do"
        return None
    if state.action_points == 0:
        return "no action points are left, the turn has to end (E)"
    if action.kind == "swap card":
        return _swap_card(state, action)
    if square_of(*action.target) not in map_squares(t.MAPS[state.config.map]):
        return f"{action.target} is not on map {state.config.map!r}"
    if action.kind == "play card":
        return _play_card(state, action)
    return _act(state, action)


def _swap_card(state: State, action: Action) -> str | None:
    if action.card not in state.hand(state.player):
        return _not_in_hand(state, action)
    if not state.deck(state.player):
        return "the deck is empty, there is nothing to swap for"
    return None


def _play_card(state: State, action: Action) -> str | None:
    if action.card not in state.hand(state.player):
        return _not_in_hand(state, action)
    there = _unit_at(state, action.target)
    if action.card in t.CLASS_NAMES:
        if _map_letter(state, action.target) != "dD"[state.player - 1]:
            return f"{action.target} is no deploy square of player {state.player}"
        if there and there.hp:
            return f"square {action.target} is occupied by {_name(there)}"
        return None
    if action.card == "INFERNO":
        return None
    if there is None:
        return f"no such unit: {action.target} is empty"
    if there.owner != state.player:
        return f"not your unit: {_name(there)}"
    if there.name == "CRYSTAL":
        return "a crystal takes no items and no potions"
    if action.card == "REVIVE_POTION":
        return None if there.hp < there.max_hp else f"{_name(there)} is at full health"
    if there.hp == 0:
        return f"{_name(there)} is knocked down and cannot be equipped"
    if _ITEM_LETTER[action.card] in there.items:
        return f"{_name(there)} carries {action.card} already"
    return None


def _act(state: State, action: Action) -> str | None:
    unit = _unit_at(state, action.source)
    if unit is None:
        return f"no such unit: {action.source} is empty"
    if unit.owner != state.player:
        return f"not your unit: {_name(unit)}, and player {state.player} is to move"
    if unit.name == "CRYSTAL":
        return "a crystal never acts"
    if unit.hp == 0:
        return f"{_name(unit)} is knocked down"
    if action.source == action.target:
        return "a unit cannot act on its own square"
    check = {"move": _move, "attack": _attack, "heal": _heal, "swap places": _swap_places}
    return check[action.kind](state, unit, action)


def _move(state: State, unit: Unit, action: Action) -> str | None:
    there = _unit_at(state, action.target)
    if there and there.hp:
        return f"square {action.target} is occupied by {_name(there)}"
    speed = int(t.SPEED[t.CLASS_NAMES.index(unit.name)])
    if (distance := _distance(action)) > speed:
        return f"out of range: distance {distance}, the speed of {_name(unit)} is {speed}"
    if _on_enemy_deploy(state, action.target):
        return f"{action.target} is a deploy square of the other player"
    if there and unit.name == "CLERIC" and there.owner == state.player:
        return f"a cleric does not step on {_name(there)}, which it can revive"
    return None


def _attack(state: State, unit: Unit, action: Action) -> str | None:
    there = _unit_at(state, action.target)
    if there is None:
        return f"no such unit: {action.target} is empty"
    if there.owner == state.player:
        return f"{_name(there)} is your own"
    if there.hp == 0:
        return f"{_name(there)} is knocked down already"
    reach = int(t.ATTACK_RANGE[t.CLASS_NAMES.index(unit.name)])
    if (distance := _distance(action)) > reach:
        return f"out of range: distance {distance}, the attack range of {_name(unit)} is {reach}"
    between = int(
        state.config.game[
            BETWEEN + N_SQUARES * square_of(*action.source) + square_of(*action.target)
        ]
    )
    for other in state.units:
        blocks = other.owner != state.player and other.hp
        if blocks and between >> square_of(other.x, other.y) & 1:
            return f"line of sight blocked by {_name(other)}"
    return None


def _heal(state: State, unit: Unit, action: Action) -> str | None:
    there = _unit_at(state, action.target)
    if unit.name != "CLERIC":
        return f"{_name(unit)} cannot heal, only clerics can"
    if there is None:
        return f"no such unit: {action.target} is empty"
    if there.owner != state.player:
        return f"not your unit: {_name(there)}"
    if there.name == "CRYSTAL":
        return "a crystal cannot be healed"
    if (distance := _distance(action)) > t.HEAL_RANGE:
        return f"out of range: distance {distance}, the range of a heal is {t.HEAL_RANGE}"
    if there.hp == there.max_hp:
        return f"{_name(there)} is at full health"
    if there.hp == 0 and _on_enemy_deploy(state, action.target):
        return f"{_name(there)} lies on a deploy square of the other player"
    return None


def _swap_places(state: State, unit: Unit, action: Action) -> str | None:
    there = _unit_at(state, action.target)
    if unit.name != "NINJA":
        return f"{_name(unit)} cannot swap places, only ninjas can"
    if there is None:
        return f"no such unit: {action.target} is empty"
    if there.owner != state.player:
        return f"not your unit: {_name(there)}"
    if there.name == "CRYSTAL":
        return "a crystal cannot be moved"
    if there.hp == 0:
        return f"{_name(there)} is knocked down"
    return None


def _unit_at(state: State, square: tuple[int, int]) -> Unit | None:
    return next((unit for unit in state.units if (unit.x, unit.y) == square), None)


def _name(unit: Unit) -> str:
    return f"player {unit.owner}'s {unit.name.lower()} at ({unit.x}, {unit.y})"


def _not_in_hand(state: State, action: Action) -> str:
    return f"player {state.player} has no {action.card} in hand"


def _distance(action: Action) -> int:
    (x, y), (u, v) = action.source, action.target
    return abs(u - x) + abs(v - y)


def _map_letter(state: State, square: tuple[int, int]) -> str:
    return t.MAPS[state.config.map][square[1]][square[0]]


def _on_enemy_deploy(state: State, square: tuple[int, int]) -> bool:
    return _map_letter(state, square) == "Dd"[state.player - 1]
