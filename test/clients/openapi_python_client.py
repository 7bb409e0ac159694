"""The steps of run.js, through the client that openapi-python-client makes. Arguments: the address, and the file about the demo shop."""

import json
import sys
import uuid

from shop_platform_api_client import AuthenticatedClient, Client, models
from shop_platform_api_client.api.accounts import auth_login
from shop_platform_api_client.api.checkout import checkout_place_order, checkout_quote
from shop_platform_api_client.api.discounts import discounts_create, discounts_validate
from shop_platform_api_client.api.products import products_get
from shop_platform_api_client.api.shops import shops_get
from shop_platform_api_client.api.statistics import stats_compare
from shop_platform_api_client.api.webhooks import webhooks_create

origin, demo_file = sys.argv[1:]
with open(demo_file, encoding="utf-8") as file:
    demo = json.load(file)
shop_id = demo["shopId"]

person = models.LoginDto(email=demo["owner"]["email"], password=demo["owner"]["password"])
login = auth_login.sync(client=Client(base_url=origin), body=person)
client = AuthenticatedClient(base_url=origin, token=login.data.access_token)
print("login")

assert shops_get.sync(shop_id, client=client).data.field_id == shop_id
print("shop")
product = products_get.sync(shop_id, demo["productId"], client=client).data
assert product.price > 0
print("product")

code = "OPC" + uuid.uuid4().hex[:8].upper()
discount = models.CreateDiscountDto(code=code, type_=models.DiscountTypeInput.PERCENT, value=10)
assert discounts_create.sync(shop_id, client=client, body=discount).data.code == code
print("discount")
webhook = models.CreateWebhookDto(url="https://example.com/hook", events=[models.WebhookEventInput.ORDER_PAID])
assert webhooks_create.sync(shop_id, client=client, body=webhook).data.secret.startswith("whsec_")
print("webhook")
question = models.ValidateDiscountDto(code=code, order_value=100)
assert discounts_validate.sync(shop_id, client=client, body=question).data.valid is True
print("validate")

items = [models.OrderLineDto(product_id=product.id, quantity=1)]
quote = checkout_quote.sync(shop_id, client=client, body=models.QuoteRequestDto(items=items)).data
assert quote.total == product.price
print("quote")
buyer = models.CheckoutDto(items=items, server_id=demo["serverId"], nickname="Steve_42", email="a@example.com")
order = checkout_place_order.sync(shop_id, client=client, body=buyer, idempotency_key=str(uuid.uuid4())).data
assert order.total == quote.total
print("order")

assert stats_compare.sync(shop_id, client=client).data.currency
print("comparison")
missing = shops_get.sync_detailed("0" * 24, client=client)
assert (int(missing.status_code), missing.headers["X-Error-Code"]) == (404, "shop_not_found"), missing
print("error")
