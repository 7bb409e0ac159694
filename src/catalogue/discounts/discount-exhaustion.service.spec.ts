import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { discountWith } from '../../../test/support/discounts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { ShopEventSubscribers } from '../../events/shop-events/shop-event-subscribers.js';
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

  const event = { id: 'event', shopId: SHOP, subjectId: 'order', at: new Date() };
  const publish = (discountId: string | null): Promise<void> =>
    subscribers.publish([{ ...event, type: 'order.created', details: { discountId } }], TRANSACTION);
  const marked = ['markExhausted', SHOP, DISCOUNT, expect.any(Date), TRANSACTION];

  it('publishes the exhaustion of a code whose last use an order took', async () => {
    await publish(DISCOUNT);
    const exhaustion = { type: 'discount.exhausted', subjectId: DISCOUNT, details: { code: 'VIP' } };
    expect(calls).toEqual([marked, ['record', SHOP, [exhaustion], TRANSACTION]]);
  });

  it('publishes nothing for a code that has uses left', async () => {
    exhausted = null;
    await publish(DISCOUNT);
    expect(calls).toEqual([marked]);
  });

  it('reads no code for an order without one, and for another event', async () => {
    await publish(null);
    await subscribers.publish([{ ...event, type: 'order.paid' }], TRANSACTION);
    expect(calls).toEqual([]);
  });

  it('registers itself as the subscriber with the name discounts', () => {
    expect(() => {
      subscribers.register('discounts', [], () => Promise.resolve());
    }).toThrow('with the name discounts');
  });
});
