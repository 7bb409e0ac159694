import { type INestApplicationContext } from '@nestjs/common';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { toMajor } from '../../lib/money/money.js';
import { newCreation } from '../../infrastructure/idempotency/creation.js';
import { NicknameCodesService } from '../../orders/nickname-changes/nickname-codes.service.js';
import { type Order } from '../../orders/order/order.types.js';
import { CheckoutService } from '../../orders/checkout/checkout.service.js';
import { OrderImportsService } from '../../orders/order/order-imports.service.js';
import { PaymentProvidersService } from '../../payments/accounts/payment-providers.service.js';
import { curlLines } from './demo-curl.js';
import { demoOrders } from './demo-orders.js';
import { DemoPeople } from './demo-people.js';
import { DemoSales } from './demo-sales.js';
import { type DemoShop, DemoShopSeed, TIERS } from './demo-shop.js';
import { type Demo, type DemoSeed } from './demo.types.js';

/** How many of the newest orders are sold as real ones are, which takes much longer than an import. */
const SOLD = 25;

/** The placeholder in the curl line when the order cannot get another code now. */
const NO_CODE = 'NONE-LEFT-THIS-HOUR';

/** Creates the demo shop: a small shop with the orders of three months, so that every endpoint returns something. */
export class DemoSeeder {
  private readonly people: DemoPeople;
  private readonly shops: DemoShopSeed;
  private readonly checkout: CheckoutService;
  private readonly imports: OrderImportsService;
  private readonly nicknameCodes: NicknameCodesService;
  private readonly payments: PaymentProvidersService;
  private readonly sales: DemoSales;

  constructor(app: INestApplicationContext) {
    this.people = new DemoPeople(app);
    this.shops = new DemoShopSeed(app);
    this.checkout = app.get(CheckoutService);
    this.imports = app.get(OrderImportsService);
    this.nicknameCodes = app.get(NicknameCodesService);
    this.payments = app.get(PaymentProvidersService);
    this.sales = new DemoSales(app);
  }

  /** Creates the demo shop. @param say gets a sentence about each step */
  async make(say: (sentence: string) => void): Promise<DemoSeed> {
    say('Making the demo shop: people, keys, servers, products, discounts');
    const owner = await this.people.make('owner@example.com', 'Olivia Owner');
    const support = await this.people.make('support@example.com', 'Sam Support');
    const auth: AuthContext = {
      principal: `user:${owner.userId}`,
      kind: 'user',
      userId: owner.userId,
      credentialId: owner.userId,
    };
    const shop = await this.shops.make(auth);
    await this.people.join(shop.shopId, support.userId, 'support');
    const secret = await this.people.makeKey(auth, shop.shopId, 'secret', 'Back end');
    const plugin = await this.people.makeKey(auth, shop.shopId, 'plugin', 'Survival plugin', ['deliveries:write']);
    const storefront = await this.people.makeKey(auth, shop.shopId, 'storefront', 'Storefront');
    const { webhookUrl, signingSecret } = await this.payments.configure(shop.context, 'custom', {
      enabled: true,
      credentials: {},
    });
    await this.payments.configure(shop.context, 'test', { enabled: true, credentials: {} });
    say('Making 5,000 orders of the last 90 days');
    // A player who has a tier cannot buy it again, and these buyers buy at random.
    const products = shop.products.filter((_, position) => !TIERS.includes(position));
    const planned = demoOrders({ ...shop, products }, new Date());
    await this.imports.importMany(shop.shopId, planned.slice(0, -SOLD));
    const runs = { ...shop.context, kind: 'api_key', principal: `key:${plugin.id}`, credentialId: plugin.id } as const;
    await this.sales.make(runs, planned.slice(-SOLD));
    const { order: paid, accessToken: orderToken } = await this.order(shop);
    await this.sales.pay(paid, new Date());
    const { order: open } = await this.order(shop);
    return {
      shopId: shop.shopId,
      owner,
      support: { email: support.email, password: support.password },
      keys: { secret: secret.key, plugin: plugin.key, storefront: storefront.key },
      keyId: plugin.id,
      serverId: present(shop.serverIds[0]),
      productId: present(shop.products[0]).id,
      discountCode: shop.discountCode,
      limitedDiscountCode: shop.limitedDiscountCode,
      orderId: paid.id,
      orderToken,
      openOrderId: open.id,
      openOrderTotal: toMajor(open.totalMinor, open.currency),
      currency: open.currency,
      webhook: { provider: 'custom', url: present(webhookUrl), signingSecret: present(signingSecret) },
    };
  }

  /** Adds the values that are valid for one start only: addresses, an access token, a verification code, a heartbeat. */
  async complete(seed: DemoSeed, baseUrl: string): Promise<Demo> {
    const { owner, openOrderTotal: _total, currency: _currency, webhook, ...rest } = seed;
    await this.shops.recordHeartbeats(seed.shopId);
    const accessToken = await this.people.tokenFor(owner.userId);
    // An order gets at most 3 codes an hour, and each start uses one.
    const holder = this.nicknameCodes.buyer(seed.orderId);
    let nicknameCode = NO_CODE;
    await this.nicknameCodes.issue(holder, 'steve@example.com', (code) => {
      nicknameCode = code;
      return Promise.resolve();
    });
    return {
      baseUrl,
      ...rest,
      owner: { email: owner.email, password: owner.password, accessToken },
      webhook: { ...webhook, url: baseUrl + new URL(webhook.url).pathname },
      curl: curlLines(seed, { baseUrl, accessToken, nicknameCode }),
    };
  }

  /** An order for the other server than `serverId`: the plugin of the README delivers nothing of it, so it can be changed. */
  private order(shop: DemoShop): Promise<{ order: Order; accessToken: string }> {
    return this.checkout.placeOrder(
      shop.shopId,
      newCreation(),
      {
        items: [{ productId: present(shop.products[0]).id, quantity: 1 }],
        serverId: present(shop.serverIds[1]),
        nickname: 'Steve_42',
        email: 'steve@example.com',
      },
      null,
    );
  }
}

function present<Value>(value: Value | null | undefined): Value {
  if (value == null) throw new Error('the demo shop is incomplete');
  return value;
}
