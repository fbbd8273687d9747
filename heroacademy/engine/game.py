"""The `game` array: a map's tables and a game's settings, read by every kernel.

    offset                words    meaning
    ACTION_POINTS         1        action points of a turn
    TURN_LIMIT            1        the game is a draw after this many turns
    RANDOM_DRAWS          1        1 if cards are drawn at random, 0 if by the draw seed
    BOARD                 1        squares of the map
    DEPLOY_OF + player    2        deploy squares of player 1, of player 2
    ASSAULT_SQUARES       1        assault squares
    SPECIAL_SQUARES       1        all squares that are not plain
    SQUARE_KIND + s       45       kind of square s
    WITHIN + 45 d + s     4 x 45   squares of the map within distance d of s, s included
    AROUND + s            45       squares of the map in the 3 x 3 around s
    BETWEEN + 45 s + t    45 x 45  squares that can block the line of sight from s to t
    NEXT + 8 s + dir      45 x 8   neighbour of s in a direction, or OFF_BOARD
    SHIFTABLE + 5 dy + dx + 2      squares s of the map with (x + dx, y + dy) on the map,
                          3 x 5    for dx from -2 to 2, dy from 0 to 2

Sets of squares are bit masks.
"""

import numpy as np

from heroacademy.engine import tables
from heroacademy.engine.layout import HEIGHT, N_SQUARES, WIDTH

ACTION_POINTS = 0
TURN_LIMIT = 1
RANDOM_DRAWS = 2
BOARD = 3
DEPLOY_OF = 3  # + player
ASSAULT_SQUARES = 6
SPECIAL_SQUARES = 7
SQUARE_KIND = 8
WITHIN = SQUARE_KIND + N_SQUARES
AROUND = WITHIN + 4 * N_SQUARES
BETWEEN = AROUND + N_SQUARES
NEXT = BETWEEN + N_SQUARES * N_SQUARES
SHIFTABLE = NEXT + 8 * N_SQUARES
GAME_SIZE = SHIFTABLE + 3 * 5

OFF_BOARD = -1
LEFT_EDGE = sum(1 << s for s in range(0, N_SQUARES, WIDTH))  # squares of the first column

# Directions in the order in which chain lightning prefers them; y grows downwards.
DIRECTIONS = ((0, -1), (1, 0), (-1, 0), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
DIRECTION_OF_SIGNS = tables.frozen(
    [[DIRECTIONS.index((dx, dy)) if dx or dy else -1 for dx in (-1, 0, 1)] for dy in (-1, 0, 1)]
)  # [sign dy + 1, sign dx + 1]
# Row d: the directions a chain that came in direction d tries, best first. Straight on leads,
# straight back is left out.
CHAIN_ORDER = tables.frozen(
    [
        [d, *(e for e, (ex, ey) in enumerate(DIRECTIONS) if e != d and (ex, ey) != (-dx, -dy))]
        for d, (dx, dy) in enumerate(DIRECTIONS)
    ]
)

_KIND_OF_LETTER = {
    "d": tables.DEPLOY,
    "D": tables.DEPLOY,
    "S": tables.DEFENSE,
    "P": tables.POWER_SQUARE,
    "A": tables.ASSAULT,
}


def square_of(x: int, y: int) -> int:
    return y * WIDTH + x


def map_squares(rows: tuple[str, ...]) -> dict[int, str]:
    """Square -> map letter, for the squares that the map has."""
    return {square_of(x, y): c for y, row in enumerate(rows) for x, c in enumerate(row)}


def _mask(squares) -> int:
    return sum(1 << s for s in squares)


def _blockers(x: int, y: int, u: int, v: int) -> list[int]:
    """Squares whose standing enemies block the sight from (x, y) to (u, v), within range 3."""
    dx, dy = u - x, v - y
    sx, sy = np.sign(dx), np.sign(dy)
    match sorted((abs(dx), abs(dy))):
        case [0, 2]:
            steps = [(sx, sy)]
        case [0, 3]:
            steps = [(sx, sy), (2 * sx, 2 * sy)]
        case [1, 2]:
            along = (sx, 0) if abs(dx) == 2 else (0, sy)
            steps = [along, (sx, sy)]
        case _:
            steps = []
    return [square_of(x + a, y + b) for a, b in steps]


def build_game(
    map_name: str, action_points: int, turn_limit: int, random_draws: bool
) -> np.ndarray:
    """Lay out the `game` array of one map and one set of settings."""
    letters = map_squares(tables.MAPS[map_name])
    position = {s: (s % WIDTH, s // WIDTH) for s in range(N_SQUARES)}

    game = np.zeros(GAME_SIZE, np.int64)
    game[ACTION_POINTS] = action_points
    game[TURN_LIMIT] = turn_limit
    game[RANDOM_DRAWS] = random_draws
    game[BOARD] = _mask(letters)
    game[DEPLOY_OF + 1] = _mask(s for s, c in letters.items() if c == "d")
    game[DEPLOY_OF + 2] = _mask(s for s, c in letters.items() if c == "D")
    game[ASSAULT_SQUARES] = _mask(s for s, c in letters.items() if c == "A")
    game[SPECIAL_SQUARES] = _mask(s for s, c in letters.items() if c in _KIND_OF_LETTER)

    for dy in range(3):
        for dx in range(-2, 3):
            game[SHIFTABLE + 5 * dy + dx + 2] = _mask(
                s
                for s in letters
                if 0 <= position[s][0] + dx < WIDTH and s + dy * WIDTH + dx in letters
            )

    for s, (x, y) in position.items():
        game[SQUARE_KIND + s] = _KIND_OF_LETTER.get(letters.get(s), tables.PLAIN)
        distance = {t: abs(position[t][0] - x) + abs(position[t][1] - y) for t in letters}
        for d in range(4):
            game[WITHIN + N_SQUARES * d + s] = _mask(t for t in letters if distance[t] <= d)
        game[AROUND + s] = _mask(
            t for t in letters if max(abs(position[t][0] - x), abs(position[t][1] - y)) <= 1
        )
        for t, (u, v) in position.items():
            game[BETWEEN + N_SQUARES * s + t] = _mask(_blockers(x, y, u, v))
        for d, (dx, dy) in enumerate(DIRECTIONS):
            inside = 0 <= x + dx < WIDTH and 0 <= y + dy < HEIGHT
            neighbour = square_of(x + dx, y + dy) if inside else OFF_BOARD
            game[NEXT + 8 * s + d] = neighbour if neighbour in letters else OFF_BOARD
    game.flags.writeable = False
    return game
