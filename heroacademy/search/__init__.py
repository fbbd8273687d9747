"""The searches as compiled functions over plain arrays that the caller owns.

Every search can be interrupted and resumed: a kernel does a number of steps (iterations,
generations, expansions) on its arrays and returns. Progress is counted in `counts`:

    FM_CALLS   forward-model calls: actions applied to a state, anywhere in the search
    STEPS      iterations of a tree search, generations of an evolution
    EVALUATED  complete turns evaluated
    OUTCOMES   distinct states after a complete turn, where the search counts them
"""
