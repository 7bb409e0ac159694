import { type INestApplicationContext } from '@nestjs/common';
import { type AuthContext, type ShopContext } from '../../domain/principal/auth-context.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { DiscountsService } from '../../catalogue/discounts/discounts.service.js';
import { SalesService } from '../../catalogue/sales/sales.service.js';
import { TierGroupsService } from '../../catalogue/tier-groups/tier-groups.service.js';
import { MembershipsService } from '../../shops/memberships/memberships.service.js';
import { type Product } from '../../catalogue/products/product.types.js';
import { CategoriesService } from '../../catalogue/products/categories.service.js';
import { ProductsService } from '../../catalogue/products/products.service.js';
import { type GameServer, type Heartbeat } from '../../catalogue/servers/server.types.js';
import { ServersService } from '../../catalogue/servers/servers.service.js';
import { DomainsService } from '../../shops/domains/domains.service.js';
import { DEMO_NAME } from '../../shops/shops/demo-name.js';
import { type Shop, WIDGETS } from '../../shops/shops/shop.types.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type DemoCatalogue } from './demo-orders.js';

const PERCENT = 10;
/** A little more than its orders come to in a month. */
const MONTHLY_GOAL = 40_000;

/** The categories of the storefront, with the positions of their products. */
const CATEGORIES = [
  { name: 'Ranks', slug: 'ranks', description: 'A higher rank costs only the difference.', products: [0, 3, 5, 6] },
  { name: 'Crates and keys', slug: 'keys', description: 'Open them at spawn.', products: [1] },
  { name: 'Coins', slug: 'coins', description: 'Spend them at the bazaar.', products: [2] },
  { name: 'Support us', slug: 'support', description: 'Pays for servers and events.', products: [4] },
] as const;

const PRODUCTS = [
  {
    name: 'VIP rank',
    slug: 'vip-rank',
    summary: 'A green name, three homes and the VIP kit every week.',
    description: '- Green name and **[VIP]** in chat\n- Three homes instead of one\n- VIP kit every 7 days',
    metadata: [
      { name: 'Homes', value: '3' },
      { name: 'Kit', value: 'weekly' },
      { name: 'Fly in lobbies', value: 'no' },
    ],
    featured: true,
    price: 9.99,
    commands: ['lp user {nickname} parent add vip'],
    takeBackCommands: ['lp user {nickname} parent remove vip'],
  },
  {
    name: 'Crate key',
    slug: 'crate-key',
    summary: 'One key for the crate at spawn. All chances are shown there.',
    featured: true,
    price: 2.49,
    commands: ['crate give {nickname} key {quantity}'],
  },
  {
    name: '1,000 coins',
    slug: 'coins-1000',
    summary: 'Spend them at the bazaar.',
    featured: true,
    price: 4.99,
    commands: ['eco give {nickname} 1000'],
  },
  {
    name: 'MVP rank',
    slug: 'mvp-rank',
    label: 'Most popular',
    summary: 'Fly in the lobby, five homes, a golden name and the MVP kit every day.',
    description:
      '- Golden name and **[MVP]** in chat\n- Fly in every lobby\n- Five homes instead of one\n- MVP kit every 24 hours\n- Join when a server is full',
    metadata: [
      { name: 'Homes', value: '5' },
      { name: 'Kit', value: 'daily' },
      { name: 'Fly in lobbies', value: 'yes' },
    ],
    featured: true,
    price: 24.99,
    commands: ['lp user {nickname} parent add mvp', 'broadcast {nickname} is MVP'],
    takeBackCommands: ['lp user {nickname} parent remove mvp'],
  },
  {
    name: 'Supporter pack',
    slug: 'supporter-pack',
    summary: 'Everything of this year in one box, and your name on the wall at spawn.',
    featured: true,
    price: 49.99,
    commands: ['kit give {nickname} supporter'],
  },
  {
    name: 'Explorer rank, 30 days',
    slug: 'explorer-rank',
    summary: 'Set a second home and see the map of the nether. Another purchase adds 30 days.',
    metadata: [{ name: 'Homes', value: '2' }],
    price: 3.99,
    durationDays: 30,
    commands: ['lp user {nickname} parent add explorer'],
    expiryCommands: ['lp user {nickname} parent remove explorer'],
  },
  {
    name: 'Legend rank, 30 days',
    slug: 'legend-rank',
    summary: 'The whole map, four homes and a blue name. Explorers pay only the difference.',
    metadata: [{ name: 'Homes', value: '4' }],
    price: 6.99,
    durationDays: 30,
    commands: ['lp user {nickname} parent add legend'],
    expiryCommands: ['lp user {nickname} parent remove legend'],
    takeBackCommands: ['lp user {nickname} parent remove legend'],
  },
] as const;

/** The positions of the products that are the tiers of one group, the lowest first. */
export const TIERS: readonly number[] = [5, 6];
/** The position of the product that the sale reduces. */
const REDUCED = 1;

/** What visitors of the storefront read. */
const PAGES = {
  hero: {
    title: 'Your island is waiting.',
    text: 'Ranks, keys and coins for Sky Realm. Pay safely, and find it in game.',
  },
  notice: { text: 'Welcome! The code WELCOME10 takes 10 % off', label: null, url: null },
  goalText: 'Pays for the servers and the new lobby.',
  legal: {
    sellerName: 'Sky Realm GmbH',
    address: 'Hauptstr. 1\n10115 Berlin, Germany',
    vatId: null,
    taxNote: 'Prices include VAT.',
    disclaimer: 'Sky Realm is run by fans and is not affiliated with Mojang or Microsoft.',
    pages: {
      imprint: { text: 'Sky Realm GmbH, Hauptstr. 1, 10115 Berlin, Germany', url: null },
      terms: { text: 'These are the terms of a demo shop. **Nothing is really sold.**', url: null },
      privacy: { text: 'A demo shop keeps what you enter on this computer, and sends it nowhere.', url: null },
      withdrawal: { text: 'Nothing is really sold, so there is nothing to withdraw from.', url: null },
    },
  },
};

const VERSION = { version: 'Paper 1.21.4', latencyMs: 12 };
const MAX_SERVERS = 20;
/** What the plugins of servers report. */
const HEARTBEATS: Readonly<Record<string, Omit<Heartbeat, 'at'>>> = {
  Survival: { onlinePlayers: 42, maxPlayers: 100, ...VERSION },
  Skyblock: { onlinePlayers: 142, maxPlayers: 300, ...VERSION },
};

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
  private readonly categories: CategoriesService;
  private readonly discounts: DiscountsService;
  private readonly sales: SalesService;
  private readonly tierGroups: TierGroupsService;

  constructor(app: INestApplicationContext) {
    this.shops = app.get(ShopsService);
    this.memberships = app.get(MembershipsService);
    this.domains = app.get(DomainsService);
    this.servers = app.get(ServersService);
    this.products = app.get(ProductsService);
    this.categories = app.get(CategoriesService, { strict: false });
    this.discounts = app.get(DiscountsService);
    this.sales = app.get(SalesService);
    this.tierGroups = app.get(TierGroupsService);
  }

  async make(owner: AuthContext): Promise<DemoShop> {
    const shop = await this.shops.create(owner, {
      uniqueName: DEMO_NAME,
      displayName: 'Sky Realm',
      currency: 'EUR',
      timezone: 'Europe/Berlin',
      nicknameRule: { preset: 'minecraft-java', pattern: null },
      supportEmail: 'help@sky-realm.example',
      accentColor: '#0e7490',
      widgets: WIDGETS,
      monthlyGoal: MONTHLY_GOAL,
      ...PAGES,
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
    const categoryIds = await this.makeCategories(context);
    for (const [index, product] of PRODUCTS.entries()) {
      const fields = { ...product, categoryId: categoryIds.get(index) ?? null, position: index };
      products.push(await this.products.create(context, fields));
    }
    await this.makeOffers(context, products);
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

  /** Sends the heartbeats of servers, as their plugins would. Without them the servers would be shown as offline. */
  async recordHeartbeats(shopId: string): Promise<void> {
    const { items } = await this.servers.publicList(shopId, { after: null, limit: MAX_SERVERS });
    for (const { server } of items) {
      const heartbeat = HEARTBEATS[server.name];
      if (heartbeat !== undefined) await this.servers.recordHeartbeat({ shopId }, server.id, heartbeat);
    }
  }

  /** @returns the category of each product, by its place in the list */
  private async makeCategories(context: ShopContext): Promise<ReadonlyMap<number, string>> {
    const categoryIds = new Map<number, string>();
    for (const [position, { products, ...category }] of CATEGORIES.entries()) {
      const { id } = await this.categories.create(context, { ...category, position });
      for (const product of products) categoryIds.set(product, id);
    }
    return categoryIds;
  }

  /** Ranks that cost the difference, and a sale that runs. */
  private async makeOffers(context: ShopContext, products: readonly Product[]): Promise<void> {
    const idsOf = (positions: readonly number[]): string[] => positions.flatMap((at) => products[at]?.id ?? []);
    await this.tierGroups.create(context, { name: 'Ranks', productIds: idsOf(TIERS) });
    const now = Date.now();
    await this.sales.create(context, {
      ...{ name: 'Key week', type: 'percent', value: 20, scope: 'products', productIds: idsOf([REDUCED]) },
      ...{ startsAt: new Date(now), endsAt: new Date(now + 7 * DAY_MS) },
    });
  }

  private async makeServers(context: ShopContext): Promise<GameServer[]> {
    const survival = await this.servers.create(context, {
      name: 'Survival',
      game: 'minecraft',
      address: 'play.sky-realm.example',
    });
    const creative = await this.servers.create(context, { name: 'Creative', game: 'minecraft' });
    const skyblock = await this.servers.create(context, {
      name: 'Skyblock',
      game: 'minecraft',
      address: 'play.sky-realm.example',
    });
    return [survival, creative, skyblock];
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
