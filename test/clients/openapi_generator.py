"""The steps of run.js, through the client that openapi-generator makes for Python. Arguments: the address, and the file about the demo shop."""

import json
import sys
import uuid

import openapi_client as client

origin, demo_file = sys.argv[1:]
with open(demo_file, encoding="utf-8") as file:
    demo = json.load(file)
shop_id = demo["shopId"]
configuration = client.Configuration(host=origin)

with client.ApiClient(configuration) as api:
    login = client.AccountsApi(api).auth_login(
        client.LoginDto(email=demo["owner"]["email"], password=demo["owner"]["password"])
    )
    assert login.data.access_token, login
    configuration.access_token = login.data.access_token
    print("login")

    assert client.ShopsApi(api).shops_get(shop_id).data.id == shop_id
    print("shop")
    product = client.ProductsApi(api).products_get(shop_id, demo["productId"]).data
    assert product.price > 0
    print("product")

    code = "GEN" + uuid.uuid4().hex[:8].upper()
    discount = client.CreateDiscountDto(code=code, type="percent", value=10)
    assert client.DiscountsApi(api).discounts_create(shop_id, discount).data.code == code
    print("discount")
    webhook = client.CreateWebhookDto(url="https://example.com/hook", events=["order.paid"])
    assert client.WebhooksApi(api).webhooks_create(shop_id, webhook).data.secret.startswith("whsec_")
    print("webhook")
    question = client.ValidateDiscountDto(code=code, order_value=100)
    assert client.DiscountsApi(api).discounts_validate(shop_id, question).data.valid is True
    print("validate")

    items = [client.OrderLineDto(product_id=product.id, quantity=1)]
    quote = client.CheckoutApi(api).checkout_quote(shop_id, client.QuoteRequestDto(items=items)).data
    assert quote.total == product.price
    print("quote")
    buyer = client.CheckoutDto(items=items, server_id=demo["serverId"], nickname="Steve_42", email="a@example.com")
    order = client.CheckoutApi(api).checkout_place_order(shop_id, buyer, idempotency_key=str(uuid.uuid4())).data
    assert order.total == quote.total
    print("order")

    assert client.StatisticsApi(api).stats_compare(shop_id).data.currency
    print("comparison")
    try:
        client.ShopsApi(api).shops_get("0" * 24)
    except client.ApiException as error:
        assert (error.status, error.headers["X-Error-Code"]) == (404, "shop_not_found"), error
        print("error")
