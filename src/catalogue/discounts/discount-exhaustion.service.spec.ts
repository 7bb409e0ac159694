import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { discountWith } from '../../../test/support/discounts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { ShopEventSubscribers } from '../../events/shop-events/shop-event-subscribers.js';
import { type ShopEvent } from '../../events/shop-events/shop-event.types.js';
import { type ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { DiscountExhaustionService } from './discount-exhaustion.service.js';
import { type Discount } from './discount.types.js';
import { type DiscountsRepository } from './discounts.repository.js';

const DISCOUNT = '655f1c2ab1e4a9d3f0c81280';

describe('after an event of the shop', () => {
  let calls: Call[];
  let exhausted: Discount | null;
  let subscribers: ShopEventSubscribers;

  beforeEach(() => {
    [calls, exhausted, subscribers] = [[], discountWith({ id: DISCOUNT, code: 'VIP' }), new ShopEventSubscribers()];
    new DiscountExhaustionService(
      recording<DiscountsRepository>(calls, { markExhausted: () => Promise.resolve(exhausted) }),
      recording<ShopEventsService>(calls, { record: () => Promise.resolve() }),
      subscribers,
    ).onModuleInit();
  });

  const publish = (fields: Partial<ShopEvent>): Promise<void> =>
    subscribers.publish({ type: 'order.created', shopId: SHOP, ...fields } as ShopEvent, TRANSACTION);
  const marked = ['markExhausted', SHOP, DISCOUNT, expect.any(Date), TRANSACTION];

  it('publishes the exhaustion of a code whose last use an order took', async () => {
    await publish({ details: { discountId: DISCOUNT } });
    const event = { type: 'discount.exhausted', subjectId: DISCOUNT, details: { code: 'VIP' } };
    expect(calls).toEqual([marked, ['record', SHOP, [event], TRANSACTION]]);
  });

  it('publishes nothing for a code that has uses left', async () => {
    exhausted = null;
    await publish({ details: { discountId: DISCOUNT } });
    expect(calls).toEqual([marked]);
  });

  it.each<[string, Partial<ShopEvent>]>([
    ['an order without details', {}],
    ['an order without a code', { details: { discountId: null } }],
    ['another event of an order with a code', { type: 'order.paid', details: { discountId: DISCOUNT } }],
  ])('reads no code for %s', async (_what, fields) => {
    await publish(fields);
    expect(calls).toEqual([]);
  });

  it('registers itself as the subscriber with the name discounts', () => {
    expect(() => {
      subscribers.register('discounts', { always: new Set(), handle: () => Promise.resolve() });
    }).toThrow('with the name discounts');
  });
});
