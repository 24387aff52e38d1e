"""What workers of other processes are given to do in the tests."""

import os
import signal
import time


def squared(number: int) -> int:
    return number * number


def squared_in_time(number: int) -> int:
    """The later pieces are done first."""
    time.sleep(0.2 / (number + 1))
    return number * number


def refuse(number: int) -> int:
    raise ValueError(f"not {number}")


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number
