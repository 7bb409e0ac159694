"""Uses a service through the client that openapi-generator makes for Python. Arguments: the address, and the file about the demo shop."""

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

    assert client.ShopsApi(api).shops_get(shop_id).data.id == shop_id
    product = client.ProductsApi(api).products_list(shop_id).data[0]
    assert client.ProductsApi(api).products_get(shop_id, product.id).data.price == product.price

    code = "GEN" + uuid.uuid4().hex[:8].upper()
    discount = client.CreateDiscountDto(code=code, type="percent", value=10)
    assert client.DiscountsApi(api).discounts_create(shop_id, discount).data.code == code
    question = client.ValidateDiscountDto(code=code, order_value=100)
    assert client.DiscountsApi(api).discounts_validate(shop_id, question).data.valid is True

    webhook = client.CreateWebhookDto(url="https://example.com/hook", events=["order.paid"])
    assert client.WebhooksApi(api).webhooks_create(shop_id, webhook).data.secret.startswith("whsec_")

    assert client.StatisticsApi(api).stats_compare(shop_id).data.currency
    try:
        client.ShopsApi(api).shops_get("0" * 24)
        raise AssertionError("an unknown shop was found")
    except client.ApiException as error:
        assert (error.status, error.headers["X-Error-Code"]) == (404, "shop_not_found"), error
