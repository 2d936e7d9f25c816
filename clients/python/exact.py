"""Amounts and times of the Python client, run against a real server by clients/python-values.clients.test.ts. Prints its results as JSON."""

import datetime
import json
import os
from collections.abc import Callable
from decimal import Decimal

from kontor import Kontor
from kontor.values import parsed

kontor = Kontor(os.environ["KONTOR_URL"], os.environ["KONTOR_KEY"])
noon = datetime.datetime(2026, 1, 31, 12, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))
price, amount = Decimal("99999999.99"), Decimal("1234567.891")

product_id = kontor.products.add({"name": "Bench", "sku": "BENCH", "price": price})["product_id"]
product = kontor.products.get_list({"ids": [product_id]})["products"][0]
order_id = kontor.orders.add(
    {
        "num": "1",
        "customer_name": "Ada",
        "date_placed": datetime.date(2026, 1, 31),
        "products": [{"sku": "BENCH", "amount": amount, "total": "0.10"}],
    }
)["order_id"]
order = kontor.orders.get_entry({"order_id": order_id})["order"]
# Lines can be sent back as they were read.
kontor.orders.edit({"order_id": order_id, "products": order["products"]})
again = kontor.orders.get_entry({"order_id": order_id})["order"]
audit_id = kontor.audits.add({"storage_id": 1, "products": [{"sku": "BENCH", "counted": Decimal("2.5")}]})["audit_id"]
audit = kontor.audits.get_entry({"audit_id": audit_id})["audit"]
counted_at = audit["products"][0]["counted_at"]
kontor.audits.edit({"audit_id": audit_id, "products": audit["products"]})
recounted_at = kontor.audits.get_entry({"audit_id": audit_id})["audit"]["products"][0]["counted_at"]
kontor.orders.update_status({"order_id": order_id, "status": 3, "date_shipped": datetime.date(2026, 2, 1)})
movement = kontor.stock.get_movements({"sku": "BENCH"})["movements"][0]
trial = kontor.orders.delete({"order_id": order_id}, dry_run=True)


def floats_in(value: object) -> int:
    if isinstance(value, dict):
        return sum(map(floats_in, value.values()))
    return sum(map(floats_in, value)) if isinstance(value, list) else int(isinstance(value, float))


def refusal(call: Callable[[], object]) -> str:
    try:
        call()
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"


now = datetime.datetime.now(datetime.timezone.utc)
everything = [product, order, again, audit, movement, trial, parsed(b'{"a": 0.1}')]
print(
    json.dumps(
        {
            "price": [product["price"] == price, type(product["price"]).__name__],
            "amount": [order["products"][0]["amount"] == amount, again["products"][0]["amount"] == amount],
            "total": [str(order["total"]), type(order["delivery_price"]).__name__],
            "days": [repr(order["date_placed"]), repr(order["date_shipped"]), repr(movement["date"])],
            "times": [abs(now - product["created_at"]) < datetime.timedelta(minutes=10), recounted_at == counted_at],
            "updated_after": [
                len(kontor.products.get_list({"updated_after": noon})["products"]),
                len(kontor.products.get_list({"updated_after": now + datetime.timedelta(days=1)})["products"]),
            ],
            "effects": [type(one).__name__ for one in trial["effects"]["stock"][0]["on_hand"]],
            "floats": sum(map(floats_in, everything)),
            "refused": [
                refusal(lambda: kontor.products.add({"name": "Chair", "price": 0.1})),
                refusal(lambda: kontor.products.add({"name": "Chair", "price": Decimal("NaN")})),
                refusal(lambda: kontor.products.get_list({"updated_after": datetime.datetime(2026, 1, 31)})),
                refusal(lambda: kontor.products.add({"name": b"Chair"})),
            ],
        }
    )
)
