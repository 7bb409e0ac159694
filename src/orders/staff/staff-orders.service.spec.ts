import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP, shopContext } from '../../../test/support/contexts.js';
import { type Call, recording } from '../../../test/support/fakes.js';
import { shopTimes } from '../../../test/support/shops.js';
import { Page } from '../../lib/paging/page.js';
import { type OrderSearchRepository } from './order-search.repository.js';
import { type OrdersService } from '../order/orders.service.js';
import { type OrderSearch, StaffOrdersService } from './staff-orders.service.js';

const SERVERS = new Set(['655f1c2ab1e4a9d3f0c81260']);
const FIRST_PAGE = { after: null, limit: 50 };
const FROM = new Date('2026-11-01T00:00:00.000Z');
const TO = new Date('2026-12-01T00:00:00.000Z');

let calls: Call[];
let service: StaffOrdersService;

beforeEach(() => {
  calls = [];
  const orders = recording<OrderSearchRepository>(calls, {
    list: () => Promise.resolve(new Page([], null)),
  });
  const unused = {} as never;
  const unleased = recording<OrdersService>([], { withEndedLeases: (_, all) => Promise.resolve(all) });
  service = new StaffOrdersService(orders, unleased, shopTimes, unused, unused, unused, unused);
});

describe('list', () => {
  it('compares a nickname as a player and an email address as a mailbox', async () => {
    const search = {
      nickname: 'Steve_42',
      email: 's.teve+2@googlemail.com',
      status: 'open',
      from: FROM,
      to: TO,
    } as const;
    await service.list(shopContext('support', { serverIds: SERVERS }), search, FIRST_PAGE);
    const filter = { nicknameKey: 'steve_42', buyerKey: 'steve@gmail.com', status: 'open', from: FROM, to: TO };
    expect(calls).toEqual([['list', SHOP, SERVERS, expect.objectContaining(filter), FIRST_PAGE]]);
  });

  it('rejects an email address of a caller who cannot read buyers', async () => {
    const plugin = shopContext('owner', { readsBuyers: false });
    const message = 'A plugin key cannot search by the email address of a buyer';
    await expect(service.list(plugin, { email: 'steve@example.com' }, FIRST_PAGE)).rejects.toThrow(
      expect.objectContaining({ code: 'permission_missing', message }),
    );
    expect(calls).toEqual([]);
  });

  it.each<[string, OrderSearch]>([
    ['nothing', {}],
    ['a first time alone', { from: FROM }],
    ['an end alone', { to: TO }],
  ])('lists orders of all buyers when a caller, who cannot read buyers, gives %s', async (_, search) => {
    await service.list(shopContext('owner', { readsBuyers: false }), search, FIRST_PAGE);
    const filter = { ...search, nicknameKey: undefined, buyerKey: undefined };
    expect(calls).toEqual([['list', SHOP, null, filter, FIRST_PAGE]]);
  });

  it.each([
    ['the same time', TO, TO],
    ['a later time', TO, FROM],
  ])('rejects a time range that ends at %s', async (_, from, to) => {
    await expect(service.list(shopContext(), { from, to }, FIRST_PAGE)).rejects.toThrow('from must be before to');
  });
});
