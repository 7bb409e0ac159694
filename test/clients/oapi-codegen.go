// The steps of run.js, through the client that oapi-codegen makes. Arguments: the address, and the file about the demo shop.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"clients/api"
)

type demoShop struct {
	ShopId, ProductId, ServerId string
	Owner                       struct{ Email, Password string }
}

func require(condition bool, step string) {
	if !condition {
		panic(step)
	}
	fmt.Println(step)
}

// must returns the response of a call, or ends the program.
func must[Response any](response Response, err error) Response {
	if err != nil {
		panic(err)
	}
	return response
}

func main() {
	var demo demoShop
	if err := json.Unmarshal(must(os.ReadFile(os.Args[2])), &demo); err != nil {
		panic(err)
	}
	ctx, token := context.Background(), ""
	sendToken := func(_ context.Context, request *http.Request) error {
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}
	client := must(api.NewClientWithResponses(os.Args[1], api.WithRequestEditorFn(sendToken)))
	unique := strconv.FormatInt(time.Now().UnixNano(), 36)

	person := api.LoginDto{Email: openapi_types.Email(demo.Owner.Email), Password: demo.Owner.Password}
	token = *must(client.AuthLoginWithResponse(ctx, person)).JSON200.Data.AccessToken
	require(token != "", "login")

	require(must(client.ShopsGetWithResponse(ctx, demo.ShopId)).JSON200.Data.UnderscoreId == demo.ShopId, "shop")
	product := must(client.ProductsGetWithResponse(ctx, demo.ShopId, demo.ProductId)).JSON200.Data
	require(product.Price > 0, "product")

	code := "GO" + strings.ToUpper(unique)
	discount := api.CreateDiscountDto{Code: code, Type: "percent", Value: 10}
	require(must(client.DiscountsCreateWithResponse(ctx, demo.ShopId, discount)).JSON200.Data.Code == code, "discount")
	webhook := api.CreateWebhookDto{Url: "https://example.com/hook", Events: []api.WebhookEventInput{"order.paid"}}
	secret := must(client.WebhooksCreateWithResponse(ctx, demo.ShopId, webhook)).JSON200.Data.Secret
	require(strings.HasPrefix(secret, "whsec_"), "webhook")
	question := api.ValidateDiscountDto{Code: code, OrderValue: 100}
	require(must(client.DiscountsValidateWithResponse(ctx, demo.ShopId, question)).JSON200.Data.Valid, "validate")

	items := []api.OrderLineDto{{ProductId: product.Id, Quantity: 1}}
	quote := must(client.CheckoutQuoteWithResponse(ctx, demo.ShopId, api.QuoteRequestDto{Items: items})).JSON200.Data
	require(quote.Total == product.Price, "quote")
	buyer := api.CheckoutDto{Items: items, ServerId: demo.ServerId, Nickname: "Steve_42", Email: "a@example.com"}
	key := "oapi-codegen-" + unique
	once := &api.CheckoutPlaceOrderParams{IdempotencyKey: &key}
	order := must(client.CheckoutPlaceOrderWithResponse(ctx, demo.ShopId, once, buyer)).JSON200.Data
	require(order.Total == quote.Total, "order")

	comparison := must(client.StatsCompareWithResponse(ctx, demo.ShopId, &api.StatsCompareParams{})).JSON200.Data
	require(comparison.Currency != "", "comparison")
	missing := must(client.ShopsGetWithResponse(ctx, strings.Repeat("0", 24)))
	errorCode := missing.HTTPResponse.Header.Get("X-Error-Code")
	require(missing.JSON404 != nil && errorCode == "shop_not_found", "error")
}
