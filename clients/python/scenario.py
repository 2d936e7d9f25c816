"""What every client must be able to do, run against a real server by clients/scenario.clients.test.ts. Prints its results as JSON."""

import json
import os

from kontor import Attempt, Kontor, KontorError, WebhookError, verify_webhook

kontor = Kontor(os.environ["KONTOR_URL"], os.environ["KONTOR_KEY"])
line = {"sku": os.environ["KONTOR_SKU"], "amount": 2, "total": 30.5}

added = kontor.orders.add(
    {
        "num": "1",
        "customer_name": "Zoë Ångström",
        "products": [line, {"sku": "UNKNOWN", "amount": 1, "total": 5}],
    }
)
order_id = added["order_id"]
edited = kontor.orders.edit({"order_id": order_id, "notes": 'Call "before" delivery / ok'})
kontor.orders.update_status({"order_id": order_id, "status": 3, "date_shipped": "2026-01-31"})
order = kontor.orders.get_entry({"order_id": order_id})["order"]

attempts: list[Attempt] = []
cut = Kontor(os.environ["KONTOR_CUT_URL"], os.environ["KONTOR_KEY"], on_attempt=attempts.append)
cut.orders.add({"num": "2", "customer_name": "Zoë Ångström", "products": [line]})

trial = kontor.orders.add({"num": "3", "customer_name": "Ben", "products": [line]}, dry_run=True)

nums = [one["num"] for one in kontor.orders.each(page_size=1)]

refused = None
try:
    kontor.orders.delete({"order_id": 999_999})
except KontorError as error:
    refused = {
        "status": error.status,
        "text": error.text,
        "retryable": error.retryable,
        "attempts": error.attempts,
    }


def verified(message: dict) -> object:
    """The payload of a message of the test, or why it is refused."""
    try:
        return verify_webhook(message["secret"], message["body"].encode(), message["headers"])
    except WebhookError as error:
        return str(error)


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
            "refused": refused,
            "empty": list(kontor.units.get_list()),
            "webhooks": [verified(message) for message in json.loads(os.environ["KONTOR_WEBHOOKS"])],
        }
    )
)
