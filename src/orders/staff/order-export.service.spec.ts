import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP, shopContext } from '../../../test/support/contexts.js';
import { type Call, directTransactions, FakeAudit, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { shopTimes } from '../../../test/support/shops.js';
import { AppError } from '../../domain/errors/app-error.js';
import { Page } from '../../lib/paging/page.js';
import { timePositionOf } from '../../lib/paging/time-position.js';
import { OrderExportService } from './order-export.service.js';
import { type OrderWithPayments } from '../order/order.types.js';
import { type StaffOrdersService } from './staff-orders.service.js';

const context = shopContext('support');
const order = (digit: string): OrderWithPayments =>
  ({ id: digit.repeat(24), createdAt: new Date('2026-11-21T12:00:00.000Z') }) as OrderWithPayments;
const [A, B, C] = [order('a'), order('b'), order('c')];

let calls: Call[];
let audit: FakeAudit;
/** What the list has, page by page; an error fails the read. */
let pages: (readonly OrderWithPayments[] | Error)[];
let service: OrderExportService;

beforeEach(() => {
  calls = [];
  audit = new FakeAudit();
  const orders = recording<StaffOrdersService>(calls, {
    listWithPayments: () => {
      const page = pages.shift() ?? [];
      if (page instanceof Error) return Promise.reject(page);
      const next = pages.length > 0 ? [order('0')] : [];
      return Promise.resolve(Page.of([...page, ...next], page.length, timePositionOf));
    },
  });
  service = new OrderExportService(orders, shopTimes, audit.asService, directTransactions);
});

describe('pages', () => {
  it('reads all pages of the list, each when the one before was taken', async () => {
    pages = [[A, B], [C]];
    const exported = service.pages(context, { status: 'open' });
    expect(calls).toEqual([]);
    expect(await exported.next()).toEqual({ done: false, value: [A, B] });
    expect(await exported.next()).toEqual({ done: false, value: [C] });
    expect(calls.slice(1)).toEqual([
      ['listWithPayments', context, { status: 'open' }, { after: timePositionOf(B), limit: 100 }],
    ]);
    expect(await exported.next()).toEqual({ done: true, value: undefined });
    expect(calls).toHaveLength(2);
  });

  it('returns one empty page without orders', async () => {
    pages = [[]];
    const exported = service.pages(context, {});
    expect(await exported.next()).toEqual({ done: false, value: [] });
    expect(await exported.next()).toEqual({ done: true, value: undefined });
  });

  it('records the export once, before it returns the first order, with the filter but without the buyer', async () => {
    pages = [[A], [B]];
    const from = new Date('2026-11-01T00:00:00.000Z');
    const buyer = { nickname: 'Steve_42', email: 's@example.com' };
    const exported = service.pages(context, { status: 'open', dateField: 'paidAt', from, ...buyer });
    await exported.next();
    const changes = [
      { field: 'status', before: null, after: 'open' },
      { field: 'dateField', before: null, after: 'paidAt' },
      { field: 'from', before: null, after: '2026-11-01T00:00:00.000Z' },
      { field: 'ofOneBuyer', before: null, after: 'true' },
    ];
    expect(audit.entries).toEqual([
      { author: expect.objectContaining({ shopId: SHOP }), action: 'orders.exported', changes },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
    await exported.next();
    expect(audit.entries).toHaveLength(1);
  });

  it.each([
    ['nickname', { nickname: 'Steve_42' }, ['ofOneBuyer']],
    ['email', { email: 's@example.com' }, ['ofOneBuyer']],
    ['filter', {}, []],
  ])('records whether the export is of one buyer: %s', async (_, search, fields) => {
    pages = [[A]];
    await service.pages(context, search).next();
    expect(audit.entries[0]?.changes?.map(({ field }) => field)).toEqual(fields);
  });

  it('fails as the list does, and records no export then', async () => {
    pages = [new AppError('permission_missing')];
    await expect(service.pages(context, {}).next()).rejects.toMatchObject({ code: 'permission_missing' });
    expect(audit.entries).toEqual([]);
  });

  it('fails in the middle when a page cannot be read', async () => {
    pages = [[A], new Error('the database is down')];
    const exported = service.pages(context, {});
    await exported.next();
    await expect(exported.next()).rejects.toThrow('the database is down');
  });
});
