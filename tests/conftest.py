"""Starts the longest test's process before all tests, so that it compiles beside them."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import recorded

_REPLAY = pytest.StashKey()


def _replay():
    files = [str(recorded.path_of(name)) for name in recorded.CHECKED]
    return recorded.run_with_bounds_checks(recorded.__file__, *files)


def pytest_runtestloop(session):
    wanted = any("checked_replay" in getattr(item, "fixturenames", ()) for item in session.items)
    if wanted and not session.config.option.collectonly:
        session.config.stash[_REPLAY] = ThreadPoolExecutor(1).submit(_replay)


@pytest.fixture
def checked_replay(request):
    """The finished process that replayed recorded games with bounds checks."""
    return request.config.stash[_REPLAY].result()
