import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** The steps of run.js, through the client that openapi-generator makes for Java. Arguments: the address, and the file about the demo shop. */
public class OpenapiGenerator {
  private static void require(boolean condition, String step) {
    if (!condition) throw new IllegalStateException(step);
    System.out.println(step);
  }

  public static void main(String[] arguments) throws Exception {
    JsonObject demo = JsonParser.parseString(Files.readString(Path.of(arguments[1]))).getAsJsonObject();
    JsonObject owner = demo.getAsJsonObject("owner");
    String shopId = demo.get("shopId").getAsString();
    ApiClient api = new ApiClient();
    api.setBasePath(arguments[0]);

    LoginDto person = new LoginDto().email(owner.get("email").getAsString()).password(owner.get("password").getAsString());
    String token = new AccountsApi(api).authLogin(person).getData().getAccessToken();
    api.setBearerToken(token);
    require(token != null, "login");

    require(new ShopsApi(api).shopsGet(shopId).getData().getId().equals(shopId), "shop");
    var product = new ProductsApi(api).productsGet(shopId, demo.get("productId").getAsString()).getData();
    require(product.getPrice() > 0, "product");

    String code = "JAVA" + UUID.randomUUID().toString().substring(0, 8).toUpperCase();
    CreateDiscountDto discount = new CreateDiscountDto().code(code).type(DiscountTypeInput.PERCENT).value(10.0);
    require(new DiscountsApi(api).discountsCreate(shopId, discount).getData().getCode().equals(code), "discount");
    CreateWebhookDto webhook =
        new CreateWebhookDto().url(URI.create("https://example.com/hook")).events(List.of(WebhookEventInput.ORDER_PAID));
    require(new WebhooksApi(api).webhooksCreate(shopId, webhook).getData().getSecret().startsWith("whsec_"), "webhook");
    ValidateDiscountDto question = new ValidateDiscountDto().code(code).orderValue(100.0);
    require(new DiscountsApi(api).discountsValidate(shopId, question).getData().getValid(), "validate");

    CheckoutApi checkout = new CheckoutApi(api);
    List<OrderLineDto> items = List.of(new OrderLineDto().productId(product.getId()).quantity(1));
    Double total = checkout.checkoutQuote(shopId, new QuoteRequestDto().items(items)).getData().getTotal();
    require(total.equals(product.getPrice()), "quote");
    CheckoutDto buyer =
        new CheckoutDto().items(items).serverId(demo.get("serverId").getAsString()).nickname("Steve_42").email("a@example.com");
    var order = checkout.checkoutPlaceOrder(shopId, buyer, UUID.randomUUID().toString()).getData();
    require(order.getTotal().equals(total), "order");

    var comparison = new StatisticsApi(api).statsCompare(shopId, null, null, null, null, null, null, null, null, null, null);
    require(comparison.getData().getCurrency() != null, "comparison");
    try {
      new ShopsApi(api).shopsGet("0".repeat(24));
    } catch (ApiException error) {
      String errorCode = error.getResponseHeaders().entrySet().stream()
          .filter(header -> header.getKey().equalsIgnoreCase("X-Error-Code"))
          .map(header -> header.getValue().get(0)).findFirst().orElse("none");
      require(error.getCode() == 404 && errorCode.equals("shop_not_found"), "error");
    }
    System.exit(0);
  }
}
