import { describe, expect, it } from '@jest/globals';
import { snapshotWith, soldServerWith, soldWith } from '../../../test/support/snapshots.js';
import { type CatalogueSnapshot, type SoldProduct } from '../../catalogue/snapshot/catalogue-snapshot.js';
import { type Basket, lineProblems, type OrderLine, checkBasket, type CheckedBasket } from './basket-checks.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const SHOP = { nicknameRule: { preset: 'minecraft-java', pattern: null }, timezone: 'Europe/Berlin' } as const;
const SERVERS = ['s1', 's2', 's3'].map((id) => soldServerWith({ id, isHidden: id === 's2' }));

const product = (id: string, fields: Parameters<typeof soldWith>[0] = {}): SoldProduct =>
  soldWith({ id, name: `Product ${id}`, priceMinor: 333, commandListId: 'list', ...fields });
const selling = (...products: SoldProduct[]): CatalogueSnapshot => snapshotWith({ products, servers: SERVERS });
const price = (items: readonly OrderLine[], snapshot: CatalogueSnapshot, basket: Partial<Basket> = {}): CheckedBasket =>
  checkBasket(SHOP, snapshot, { items, serverId: 's1', nickname: 'Steve_42', ...basket }, NOW);

describe('checkBasket', () => {
  const products = selling(
    product('a'),
    product('b', { priceMinor: 0 }),
    product('off', { isActive: false }),
    product('here', { serverIds: ['s1', 's2'] }),
  );

  it('knows, without a server, that no server sells two products together', () => {
    const apart = selling(
      product('a'),
      product('b', { serverIds: ['s1', 's2'] }),
      product('c', { serverIds: ['s2', 's3'] }),
      product('d', { serverIds: ['s1'] }),
    );
    const codes = (...ids: string[]): unknown[] => {
      const lines = ids.map((productId) => ({ productId, quantity: 1 }));
      return price(lines, apart, { serverId: null }).problems.map(({ code, message }) => [code, message]);
    };
    expect(codes('a', 'b', 'c')).toEqual([]);
    const problem = ['product_not_available', 'No game server sells all of these products: order them separately'];
    expect(codes('c', 'd')).toEqual([problem]);
    expect(codes('b', 'c', 'd')).toEqual([problem]);
    const none = checkBasket(
      SHOP,
      snapshotWith({ products: [product('a')], servers: [] }),
      {
        ...{ items: [{ productId: 'a', quantity: 1 }], serverId: null, nickname: null },
      },
      NOW,
    );
    expect(none.problems).toEqual([{ code: 'server_not_found', message: 'The shop has no game server yet' }]);
  });

  it('takes name, price and the list of commands from the product', () => {
    expect(
      price(
        [
          { productId: 'a', quantity: 3 },
          { productId: 'b', quantity: 1 },
        ],
        products,
      ),
    ).toEqual({
      items: [
        {
          productId: 'a',
          name: 'Product a',
          quantity: 3,
          listMinor: 333,
          saleId: null,
          saleMinor: 0,
          unitPriceMinor: 333,
          totalMinor: 999,
          discountMinor: 0,
          netMinor: 999,
          commandListId: 'list',
          requiresOnline: false,
          durationDays: null,
          repeat: 'parallel',
          countsAs: 'a',
          ownedEverywhere: false,
          takesStock: false,
        },
        {
          productId: 'b',
          name: 'Product b',
          quantity: 1,
          listMinor: 0,
          saleId: null,
          saleMinor: 0,
          unitPriceMinor: 0,
          totalMinor: 0,
          discountMinor: 0,
          netMinor: 0,
          commandListId: 'list',
          requiresOnline: false,
          durationDays: null,
          repeat: 'parallel',
          countsAs: 'b',
          ownedEverywhere: false,
          takesStock: false,
        },
      ],
      limits: [],
      reducedIds: [],
      saleEnded: false,
      upgrades: [],
      subtotalMinor: 999,
      problems: [],
    });
  });

  it.each([
    ['unknown', 'nothing', 's1'],
    ['switched off', 'off', 's1'],
    ['for another server', 'here', 's3'],
  ])('leaves out a product that is %s, and names it', (_why, productId, serverId) => {
    const lines = ['a', productId].map((id) => ({ productId: id, quantity: 1 }));
    const { items, problems } = price(lines, products, { serverId });
    expect(items.map((item) => item.productId)).toEqual(['a']);
    const message = `Product ${productId} is not for sale here`;
    expect(problems).toEqual([{ code: 'product_not_available', message, productId }]);
  });

  it('names every product that is not for sale', () => {
    const lines = ['off', 'nothing'].map((productId) => ({ productId, quantity: 1 }));
    expect(price(lines, products).problems.map(({ productId }) => productId)).toEqual(['off', 'nothing']);
  });

  it('sells a product for each of its servers, and while the server is not known', () => {
    for (const serverId of ['s1', 's2', null]) {
      expect(price([{ productId: 'here', quantity: 1 }], products, { serverId }).problems).toEqual([]);
    }
  });

  it('takes units from a stock, and names the limits of the products, maxPerBuyer first', () => {
    const weekly = { of: 'player', max: 5, window: { calendar: 'week' } } as const;
    const limited = selling(product('a', { stock: 0 }), product('b', { maxPerBuyer: 2, limits: [weekly] }));
    const lines = ['a', 'b'].map((productId) => ({ productId, quantity: 3 }));
    const { items, limits, problems } = price(lines, limited);
    expect(items.map(({ takesStock }) => takesStock)).toEqual([true, false]);
    const limit = { productId: 'b', name: 'Product b', quantity: 3 };
    expect(limits).toMatchObject([
      { ...limit, of: 'buyer', max: 2, window: { from: null }, inWords: '' },
      { ...limit, of: 'player', max: 5, window: { from: new Date('2026-11-15T23:00:00.000Z') }, inWords: ' in a week' },
    ]);
    expect(problems).toEqual([]);
  });

  it.each<[string, Parameters<typeof soldWith>[0], object[]]>([
    ['at its first moment', { availableFrom: NOW }, []],
    ['a millisecond before its end', { availableUntil: new Date(NOW.getTime() + 1) }, []],
    [
      'a millisecond before its beginning',
      { availableFrom: new Date(NOW.getTime() + 1), showBefore: true },
      [
        {
          code: 'not_yet_available',
          message: 'Product a can be bought from 2026-11-21 13:00 (Europe/Berlin)',
          productId: 'a',
          availableFrom: new Date(NOW.getTime() + 1),
        },
      ],
    ],
    [
      'before its beginning, when it is not announced',
      { availableFrom: new Date(NOW.getTime() + 1) },
      [{ code: 'product_not_available', message: 'Product a is not for sale here', productId: 'a' }],
    ],
    [
      'at its end',
      { availableFrom: new Date(0), availableUntil: NOW },
      [
        {
          code: 'no_longer_available',
          message: 'Product a could be bought until 2026-11-21 13:00 (Europe/Berlin)',
          productId: 'a',
        },
      ],
    ],
  ])('judges a product by the clock of the request: %s', (_when, fields, problems) => {
    const lines = [{ productId: 'a', quantity: 1 }];
    expect(price(lines, selling(product('a', fields))).problems).toEqual(problems);
  });

  it('allows as many units in one order as the product does, and no more', () => {
    const limited = selling(product('a', { maxPerOrder: 2 }));
    expect(price([{ productId: 'a', quantity: 2 }], limited).problems).toEqual([]);
    const message = 'One order may have at most 2 of Product a';
    expect(price([{ productId: 'a', quantity: 3 }], limited).problems).toEqual([
      { code: 'quantity_not_allowed', message, productId: 'a' },
    ]);
  });

  it('allows a subtotal of 100,000,000,000 minor units and no more', () => {
    const expensive = selling(product('a', { priceMinor: 50_000_000_000 }), product('b', { priceMinor: 1 }));
    const lines = [{ productId: 'a', quantity: 2 }];
    expect(price(lines, expensive).problems).toEqual([]);
    const { problems } = price([...lines, { productId: 'b', quantity: 1 }], expensive);
    expect(problems).toEqual([{ code: 'validation_failed', message: 'The order is too large' }]);
  });

  it('has every problem at once: of the server, the products and the nickname', () => {
    const lines = ['a', 'nothing'].map((productId) => ({ productId, quantity: 1 }));
    const { problems, subtotalMinor } = price(lines, products, { serverId: 'unknown', nickname: 'has space' });
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['server_not_found', 'There is no such server'],
      ['product_not_available', 'Product nothing is not for sale here'],
      ['nickname_not_allowed', 'The nickname does not follow the rule of this shop'],
    ]);
    expect(subtotalMinor).toBe(333);
  });

  it('rejects a nickname that is not safe in a command of any stage of one of the products', () => {
    const any = { ...SHOP, nicknameRule: { preset: 'any', pattern: null } } as const;
    for (const stage of ['commands', 'takeBackCommands', 'expiryCommands'] as const) {
      const none = { commands: [], takeBackCommands: [], expiryCommands: [], extendCommands: [], upgradeCommands: [] };
      const snapshot = selling(product('a', { stages: { ...none, [stage]: ['give {nickname} vip'] } }));
      const basket = { items: [{ productId: 'a', quantity: 1 }], serverId: 's1', nickname: 'has space' };
      expect(checkBasket(any, snapshot, basket, NOW).problems).toMatchObject([{ code: 'nickname_not_allowed' }]);
      expect(checkBasket(any, snapshot, { ...basket, nickname: 'safe' }, NOW).problems).toEqual([]);
    }
  });

  it('rejects a quantity whose commands are too many, also without a nickname', () => {
    const { problems } = price([{ productId: 'a', quantity: 101 }], products, { nickname: null });
    expect(problems).toMatchObject([{ code: 'quantity_not_allowed', productId: 'a' }]);
    expect(price([{ productId: 'a', quantity: 100 }], products).problems).toEqual([]);
  });
});

describe('lineProblems', () => {
  const line = (productId: string): { productId: string; quantity: number } => ({ productId, quantity: 1 });

  it('allows different products, and each of them once', () => {
    expect(lineProblems([line('a'), line('b')])).toEqual([]);
    expect(lineProblems([line('a'), line('b'), line('a')])).toEqual([
      'items must not repeat a product; use its quantity',
    ]);
  });
});
