"""Follows the feed, or streams a list, run by clients/reading.clients.test.ts. Prints a line of JSON for each entry."""

import json
import os
import resource
import sys
import threading
from decimal import Decimal

from kontor import Kontor, KontorError

kontor = Kontor(os.environ["KONTOR_URL"], os.environ["KONTOR_KEY"], retries=0)


def show(value: object) -> None:
    print(json.dumps(value), flush=True)


def follow() -> None:
    stop = threading.Event()
    position = json.loads(os.environ["POSITION"])
    longest_pause = float(os.environ["LONGEST_PAUSE_SECONDS"])
    try:
        for event, following in kontor.events.follow(
            position, page_size=2, longest_pause_seconds=longest_pause, stop=stop
        ):
            show([event["type"], event["id"], following])
            # While the next request is awaited.
            if event["type"] == "unit.deleted":
                threading.Timer(0.1, stop.set).start()
        show("stopped")
    except KontorError as error:
        show([error.code, error.status])


def stream() -> None:
    if "MEMORY_MIB" in os.environ:
        # More than the interpreter has now.
        with open("/proc/self/statm", encoding="ascii") as used:
            pages = int(used.read().split()[0])
        limit = pages * resource.getpagesize() + int(os.environ["MEMORY_MIB"]) * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    count, total = 0, Decimal(0)
    try:
        for order in kontor.orders.stream({"include": ["lines"]}):
            count += 1
            total += order["total"] + len(order.get("products", []))
        show([count, int(total)])
    except KontorError as error:
        show([error.status, error.retryable])


follow() if sys.argv[1] == "follow" else stream()
