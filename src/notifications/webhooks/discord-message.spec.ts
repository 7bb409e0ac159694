import { describe, expect, it } from '@jest/globals';
import { type OrderDto } from '../../orders/order/dto/order.dto.js';
import { SHOP_EVENT_TYPES } from '../../events/shop-events/shop-event.types.js';
import { discordMessage } from './discord-message.js';
import { type EventBody } from './event-bodies.service.js';

const HEAD = { timestamp: '2026-11-22T12:00:00.000Z', shopId: '655f1c2ab1e4a9d3f0c81234' };
const order = (fields: Partial<OrderDto> = {}): OrderDto =>
  ({ nickname: 'Steve', items: [{ name: 'VIP', quantity: 2 }], total: 19.98, currency: 'EUR', ...fields }) as OrderDto;
const descriptionOf = (type: EventBody['type'], data: EventBody['data']): string => {
  const message = discordMessage({ ...HEAD, type, data }) as { embeds: [{ description: string }] };
  return message.embeds[0].description;
};

describe('discordMessage', () => {
  it('names the buyer, the items, the amount and a refund', () => {
    expect(descriptionOf('order.refunded', { order: order(), refundedAmount: 5 })).toBe(
      'Steve\n2 × VIP\n19.98 EUR\nRefunded: 5 EUR',
    );
  });

  it('says why a person must look at an order', () => {
    const reasons = [{ code: 'amount', message: '999.00 EUR arrived, 9.99 EUR was due', amount: 999, currency: 'EUR' }];
    const description = descriptionOf('order.review_needed', { order: order(), reasons });
    expect(description.split('\n').at(-1)).toBe('999.00 EUR arrived, 9.99 EUR was due');
  });

  it('shows what buyers and shops write as plain text: no mention, no link, no formatting', () => {
    const nickname = '@everyone **[x](https://evil.example)** <@1>';
    expect(descriptionOf('order.paid', { order: order({ nickname, items: [] }) })).toBe(
      '\\@everyone \\*\\*\\[x\\]\\(https\\://evil.example\\)\\*\\* \\<\\@1\\>\n19.98 EUR',
    );
    expect(discordMessage({ ...HEAD, type: 'order.paid', data: { order: order() } })).toMatchObject({
      allowed_mentions: { parse: [] },
    });
  });

  it('names at most ten items, so that a message stays short', () => {
    const items = Array.from({ length: 50 }, () => ({ name: 'VIP', quantity: 1 })) as OrderDto['items'];
    expect(descriptionOf('order.paid', { order: order({ items }) }).split('\n')).toHaveLength(12);
  });

  it.each([...SHOP_EVENT_TYPES, 'webhook.test'] as const)('writes a title for %s', (type) => {
    const message = discordMessage({ ...HEAD, type, data: { id: '1', name: 'Survival' } });
    expect(message).toMatchObject({
      embeds: [{ title: expect.stringMatching(/^[A-Z].{5,}/), description: 'Survival' }],
    });
  });
});
