"""What every client must be able to do, run against a real server by clients/scenario.clients.test.ts. Prints its results as JSON."""

import datetime
import json
import os
from decimal import Decimal

from kontor import Attempt, FeedPosition, Kontor, KontorError, WebhookError, verify_webhook

kontor = Kontor(os.environ["KONTOR_URL"], os.environ["KONTOR_KEY"])
line = {"sku": os.environ["KONTOR_SKU"], "amount": 2, "total": Decimal("30.50")}

added = kontor.orders.add(
    {
        "num": "1",
        "customer_name": "Zoë Ångström",
        "products": [line, {"sku": "UNKNOWN", "amount": 1, "total": 5}],
    }
)
order_id = added["order_id"]
edited = kontor.orders.edit({"order_id": order_id, "notes": 'Call "before" delivery / ok'})
kontor.orders.update_status({"order_id": order_id, "status": 3, "date_shipped": datetime.date(2026, 1, 31)})
order = kontor.orders.get_entry({"order_id": order_id})["order"]

attempts: list[Attempt] = []
cut = Kontor(os.environ["KONTOR_CUT_URL"], os.environ["KONTOR_KEY"], on_attempt=attempts.append)
cut.orders.add({"num": "2", "customer_name": "Zoë Ångström", "products": [line]})

trial = kontor.orders.add({"num": "3", "customer_name": "Ben", "products": [line]}, dry_run=True)

nums = [one["num"] for one in kontor.orders.each(page_size=1)]

streamed = [one["num"] for one in kontor.orders.stream({"date_from": datetime.date(2026, 1, 1)})]

changes: list[str] = []
middle: FeedPosition = {"after": 0}
for event, position in kontor.events.follow(middle, page_size=2, wait=False):
    changes.append(event["type"])
    if event["type"] == "customer.created":
        middle = position
resumed = [event["type"] for event, _ in kontor.events.follow(middle, wait=False)]
levels = [level["available"] for level, _ in kontor.stock.follow_changes(wait=False)]

refused = None
try:
    kontor.orders.delete({"order_id": 999_999})
except KontorError as error:
    refused = {
        "status": error.status,
        "text": error.text,
        "code": error.code,
        "retryable": error.retryable,
        "attempts": error.attempts,
    }


def verified(message: dict) -> object:
    """The payload of a message of the test, or why it is refused."""
    try:
        return verify_webhook(message["secret"], message["body"].encode(), message["headers"])
    except WebhookError as error:
        return str(error)


def shown(value: object) -> object:
    """How a value is printed for the test, which expects numbers and texts."""
    return json.loads(f"{value.normalize():f}") if isinstance(value, Decimal) else str(value)


print(
    json.dumps(
        {
            "added": added,
            "edited": list(edited),
            "shown": [order[name] for name in ("num", "status", "customer_name", "notes", "total", "date_shipped")],
            "retried": [[attempt.status, attempt.replayed] for attempt in attempts],
            "dryRun": [
                trial["dry_run"],
                trial["order_id"],
                trial["effects"]["created"],
                trial["effects"]["stock"][0]["reserved"],
            ],
            "nums": nums,
            "streamed": streamed,
            "changes": changes,
            "resumed": resumed,
            "levels": levels,
            "refused": refused,
            "empty": list(kontor.units.get_list()),
            "webhooks": [verified(message) for message in json.loads(os.environ["KONTOR_WEBHOOKS"])],
        },
        default=shown,
    )
)
