import { type INestApplicationContext } from '@nestjs/common';
import { type AuthContext, type ShopContext } from '../../domain/principal/auth-context.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { DiscountsService } from '../../catalogue/discounts/discounts.service.js';
import { MembershipsService } from '../../shops/memberships/memberships.service.js';
import { type Product } from '../../catalogue/products/product.types.js';
import { ProductsService } from '../../catalogue/products/products.service.js';
import { type GameServer } from '../../catalogue/servers/server.types.js';
import { ServersService } from '../../catalogue/servers/servers.service.js';
import { DomainsService } from '../../shops/domains/domains.service.js';
import { type Shop, WIDGETS } from '../../shops/shops/shop.types.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type DemoCatalogue } from './demo-orders.js';

const PERCENT = 10;
/** A little more than its orders come to in a month. */
const MONTHLY_GOAL = 40_000;

const PRODUCTS = [
  {
    name: 'VIP rank',
    slug: 'vip-rank',
    price: 9.99,
    commands: ['lp user {nickname} parent add vip'],
    takeBackCommands: ['lp user {nickname} parent remove vip'],
  },
  { name: 'Crate key', price: 2.49, commands: ['crate give {nickname} key {quantity}'] },
  { name: '1,000 coins', price: 4.99, commands: ['eco give {nickname} 1000'] },
  { name: 'MVP rank', price: 24.99, commands: ['lp user {nickname} parent add mvp', 'broadcast {nickname} is MVP'] },
  { name: 'Supporter pack', price: 49.99, commands: ['kit give {nickname} supporter'] },
] as const;

const HEARTBEAT = { onlinePlayers: 42, maxPlayers: 100, version: 'Paper 1.21.4', latencyMs: 12 };

/** The demo shop with its catalogue. */
export interface DemoShop extends DemoCatalogue {
  readonly shop: Shop;
  readonly context: ShopContext;
  readonly discountCode: string;
  readonly limitedDiscountCode: string;
}

/** Creates the demo shop and its catalogue through the services that the API uses. */
export class DemoShopSeed {
  private readonly shops: ShopsService;
  private readonly memberships: MembershipsService;
  private readonly domains: DomainsService;
  private readonly servers: ServersService;
  private readonly products: ProductsService;
  private readonly discounts: DiscountsService;

  constructor(app: INestApplicationContext) {
    this.shops = app.get(ShopsService);
    this.memberships = app.get(MembershipsService);
    this.domains = app.get(DomainsService);
    this.servers = app.get(ServersService);
    this.products = app.get(ProductsService);
    this.discounts = app.get(DiscountsService);
  }

  async make(owner: AuthContext): Promise<DemoShop> {
    const shop = await this.shops.create(owner, {
      uniqueName: 'sky-realm',
      displayName: 'Sky Realm',
      currency: 'EUR',
      timezone: 'Europe/Berlin',
      nicknameRule: { preset: 'minecraft-java', pattern: null },
      supportEmail: 'help@sky-realm.example',
      accentColor: '#0e7490',
      widgets: WIDGETS,
      monthlyGoal: MONTHLY_GOAL,
    });
    const member = await this.memberships.membershipOf(owner.userId, shop.id);
    if (member === null) throw new Error('the creator of a shop is not its owner');
    const context: ShopContext = {
      ...owner,
      ...member,
      shopId: shop.id,
      serverIds: null,
      publicView: false,
      readsBuyers: true,
    };
    await this.domains.claim(context, 'store.sky-realm.example');
    const servers = await this.makeServers(context);
    const products: Product[] = [];
    for (const product of PRODUCTS) products.push(await this.products.create(context, product));
    const codes = await this.makeDiscounts(context);
    return {
      shop,
      context,
      shopId: shop.id,
      currency: shop.currency,
      serverIds: servers.map(({ id }) => id),
      products,
      ...codes,
    };
  }

  /** Sends a heartbeat for a server, as its plugin would. Without it the server would be shown as offline. */
  recordHeartbeat(shopId: string, serverId: string): Promise<void> {
    return this.servers.recordHeartbeat({ shopId }, serverId, HEARTBEAT);
  }

  private async makeServers(context: ShopContext): Promise<GameServer[]> {
    const survival = await this.servers.create(context, {
      name: 'Survival',
      game: 'minecraft',
      address: 'play.sky-realm.example',
    });
    const creative = await this.servers.create(context, { name: 'Creative', game: 'minecraft' });
    return [survival, creative];
  }

  private async makeDiscounts(
    context: ShopContext,
  ): Promise<Pick<DemoShop, 'discount' | 'discountCode' | 'limitedDiscountCode'>> {
    const { id, code } = await this.discounts.create(context, { code: 'WELCOME10', type: 'percent', value: PERCENT });
    await this.discounts.create(context, { code: 'FIVEOFF', type: 'fixed', value: 5, minOrderValue: 20 });
    await this.discounts.create(context, {
      code: 'SUMMER25',
      type: 'percent',
      value: 25,
      endsAt: new Date(Date.now() - 30 * DAY_MS),
    });
    const limited = await this.discounts.create(context, { code: 'FIRST10', type: 'percent', value: 20, maxUses: 10 });
    return { discount: { id, code, percent: PERCENT }, discountCode: code, limitedDiscountCode: limited.code };
  }
}
