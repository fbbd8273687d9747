"""Units, cards, decks and maps: the game's data, none of its rules.

Class codes, card codes and item bits are used by all kernels. The first five cards are the
five unit classes, so a unit card's code is the code of the class it deploys.
"""

from types import MappingProxyType

import numpy as np


def frozen(values, dtype=np.int64):
    array = np.array(values, dtype=dtype)
    array.flags.writeable = False
    return array


# --- units ------------------------------------------------------------------------------

CLASS_NAMES = ("KNIGHT", "ARCHER", "CLERIC", "WIZARD", "NINJA", "CRYSTAL")
KNIGHT, ARCHER, CLERIC, WIZARD, NINJA, CRYSTAL = range(6)
N_UNIT_CLASSES = 5  # crystals are never deployed

#                         Knight Archer Cleric Wizard Ninja Crystal
BASE_HP = frozen([1000, 800, 800, 800, 800, 4500])
SPEED = frozen([2, 2, 2, 2, 3, 0])
POWER = frozen([200, 300, 200, 200, 200, 0])
PHYSICAL_RESISTANCE = frozen([20, 0, 0, 0, 0, 0])
MAGICAL_RESISTANCE = frozen([0, 0, 0, 10, 0, 0])
ATTACK_RANGE = frozen([1, 3, 2, 2, 2, 0])
IS_MAGICAL = frozen([0, 0, 1, 1, 0, 0])
MELEE_PERCENT = frozen([100, 50, 100, 100, 200, 100])  # at distance 1; farther is 100

HEAL_RANGE = 2
HEAL_FACTOR = 3
REVIVE_FACTOR = 2
CHAIN_PERCENT = (75, 56)  # chain lightning: share of the damage at each jump

# --- cards and items ----------------------------------------------------------------------

CARD_NAMES = (
    "KNIGHT", "ARCHER", "CLERIC", "WIZARD", "NINJA", "INFERNO",
    "REVIVE_POTION", "RUNEMETAL", "SCROLL", "DRAGONSCALE", "SHINING_HELM",
)  # fmt: skip
N_CARDS = len(CARD_NAMES)
INFERNO, REVIVE_POTION = 5, 6
HAND_SIZE = 6
STARTING_UNITS = 3  # a dealt hand holds exactly this many units

# Items a unit carries are a set of four bits, written as letters in this order.
ITEM_LETTERS = "DRHS"
DRAGONSCALE, RUNEMETAL, SHINING_HELM, SCROLL = 1, 2, 4, 8
ITEM_OF_CARD = frozen([0, 0, 0, 0, 0, 0, 0, RUNEMETAL, SCROLL, DRAGONSCALE, SHINING_HELM])

ITEM_RESISTANCE = 20  # dragonscale against physical, helm against magical attacks
INFERNO_DAMAGE = 350
POTION_HEAL = 1000
POTION_REVIVE = 100

DECKS = MappingProxyType(
    {
        "standard": (3, 3, 3, 3, 1, 2, 2, 3, 2, 3, 3),
        "small": (2, 2, 2, 2, 1, 1, 1, 2, 1, 2, 2),
        "tiny": (1,) * N_CARDS,
    }
)

# --- squares and maps ---------------------------------------------------------------------

PLAIN, DEPLOY, DEFENSE, POWER_SQUARE, ASSAULT = range(5)
SQUARE_NAMES = ("plain", "deploy", "defense", "power", "assault")
POWER_SQUARE_BONUS = 100
DEFENSE_SQUARE_RESISTANCE = 20
ASSAULT_BONUS = 300  # to damage against a crystal, for each own unit on an assault square

# d/D deploy square and c/C crystal of player 1/2, S defense, P power, A assault, 0 plain.
MAPS = MappingProxyType(
    {
        "a": ("d000S000D", "00c000C00", "00P000P00", "0c00000C0", "d000A000D"),
        "a-small": ("d00S00D", "00c0C00", "0c0P0C0", "d00A00D"),
        "a-tiny": ("d0S0P", "c0A0C", "P0S0D"),
    }
)
