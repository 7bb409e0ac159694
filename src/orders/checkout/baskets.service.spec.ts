import { beforeEach, describe, expect, it } from '@jest/globals';
import { productWith } from '../../../test/support/products.js';
import { type CommandsService } from '../../catalogue/commands/commands.service.js';
import { type RenderableOrder } from '../../delivery/deliveries/delivery.types.js';
import { type OrdersService } from '../order/orders.service.js';
import { type Product } from '../../catalogue/products/product.types.js';
import { type ProductsService } from '../../catalogue/products/products.service.js';
import { type ServersService } from '../../catalogue/servers/servers.service.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { type Basket, BasketsService, type PricedBasket } from './baskets.service.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const SERVER = '655f1c2ab1e4a9d3f0c81260';
const [VIP, COINS] = ['655f1c2ab1e4a9d3f0c81270', '655f1c2ab1e4a9d3f0c81271'] as const;
const RULE = { preset: 'minecraft-java', pattern: null } as const;

let products: Map<string, Product>;
let rendered: RenderableOrder[];
let service: BasketsService;

beforeEach(() => {
  products = new Map([[VIP, productWith({ id: VIP, priceMinor: 999 })]]);
  rendered = [];
  service = new BasketsService(
    {
      nicknameProblem: (order: RenderableOrder, rule: unknown) => {
        expect(rule).toBe(RULE);
        rendered.push(order);
        return Promise.resolve(order.nickname === 'wrong' ? 'The nickname is wrong' : null);
      },
    } as unknown as OrdersService,
    {
      byIds: (shopId: string, ids: readonly string[]) =>
        Promise.resolve(new Map([...products].filter(([id]) => shopId === SHOP && ids.includes(id)))),
    } as unknown as ProductsService,
    {
      hasAll: (shopId: string, ids: readonly string[]) => Promise.resolve(shopId === SHOP && ids[0] === SERVER),
    } as unknown as ServersService,
    {
      ofLists: () => Promise.resolve(() => ({ commands: ['give vip'], takeBackCommands: [], expiryCommands: [] })),
    } as unknown as CommandsService,
  );
});

const price = (basket: Partial<Basket> = {}): Promise<PricedBasket> => {
  const whole = { items: [{ productId: VIP, quantity: 2 }], serverId: SERVER, nickname: 'Steve_42', ...basket };
  return service.price({ id: SHOP, nicknameRule: RULE } as unknown as Shop, whole);
};

describe('the price of a basket', () => {
  it("computes the price of a basket from the shop's products, and checks the nickname in their commands", async () => {
    const { items, subtotalMinor, problems } = await price();
    expect(items).toMatchObject([{ productId: VIP, quantity: 2, unitPriceMinor: 999, totalMinor: 1_998 }]);
    expect([subtotalMinor, problems]).toEqual([1_998, []]);
    expect(rendered).toMatchObject([{ shopId: SHOP, nickname: 'Steve_42', items }]);
  });

  it('comes with every problem at once', async () => {
    const items = [VIP, COINS].map((productId) => ({ productId, quantity: 1 }));
    const { problems, subtotalMinor } = await price({ items, serverId: COINS, nickname: 'wrong' });
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['server_not_found', 'There is no such server'],
      ['product_not_available', `Product ${COINS} is not for sale here`],
      ['nickname_not_allowed', 'The nickname is wrong'],
    ]);
    expect(subtotalMinor).toBe(999);
  });

  it('has a problem for each item with too many commands, also without a nickname', async () => {
    const { problems } = await price({ items: [{ productId: VIP, quantity: 101 }], nickname: null });
    expect(problems).toMatchObject([{ code: 'quantity_not_allowed', productId: VIP }]);
  });

  it('prices a basket without a server and a nickname', async () => {
    expect(await price({ serverId: null, nickname: null })).toMatchObject({ subtotalMinor: 1_998, problems: [] });
    expect(rendered).toEqual([]);
  });

  it('rejects a basket that names a product twice', async () => {
    const line = { productId: VIP, quantity: 1 };
    await expect(price({ items: [line, line] })).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
