import { describe, expect, it } from '@jest/globals';
import { heartbeatAt, reported, serverWith } from '../../../test/support/servers.js';
import { type ItemProgress } from '../../delivery/deliveries/delivery.types.js';
import { type Order } from '../../orders/order/order.types.js';
import { type LineProgress, linesOf } from './line-rules.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const ONLINE = serverWith(reported(heartbeatAt(NOW)));
const SILENT = serverWith(reported(heartbeatAt(new Date(NOW.getTime() - 3_600_000))));
const CALLED_AT = { online: ONLINE.seenAt, silent: SILENT.seenAt };

const item = (fields: Partial<ItemProgress> = {}): ItemProgress => ({
  ...{ position: 0, state: 'queued', requiresOnline: false, deliveredAt: null, isUnreported: false },
  ...fields,
});

const lineOf = (
  order: Partial<Order>,
  items: readonly ItemProgress[],
  server: typeof ONLINE | null = ONLINE,
): LineProgress | undefined => {
  const placed = { status: 'completed', paymentStatus: 'paid', deliveryStatus: 'queued', items: [{}] };
  return linesOf({ ...placed, ...order } as Order, items, server, NOW)[0];
};

describe('linesOf', () => {
  it.each<[Partial<Order>, string]>([
    [{ status: 'open', paymentStatus: 'pending' }, 'awaits_payment'],
    [{ status: 'open', paymentStatus: 'failed' }, 'awaits_payment'],
    [{ status: 'expired', paymentStatus: 'processing' }, 'awaits_payment'],
    [{ status: 'expired', paymentStatus: 'needs_review' }, 'awaits_payment'],
    [{ status: 'expired', paymentStatus: 'pending' }, 'order_ended'],
    [{ status: 'cancelled', paymentStatus: 'processing' }, 'order_ended'],
    [{ status: 'cancelled', paymentStatus: 'paid' }, 'order_ended'],
  ])('says for %j, of which nothing is queued: %s', (order, reason) => {
    const line = { state: 'none', reason, deliveredAt: null, lastCallAt: null };
    expect(lineOf({ ...order, deliveryStatus: 'none' }, [])).toEqual(line);
  });

  it.each<[Partial<ItemProgress>, string | null]>([
    [{}, 'server_call'],
    [{ isUnreported: true }, 'no_report'],
    [{ requiresOnline: true, isUnreported: true }, 'player_needed'],
    [{ state: 'held' }, 'payment_in_doubt'],
    [{ state: 'leased', isUnreported: true }, null],
    [{ state: 'delivered' }, null],
    [{ state: 'failed' }, 'server_error'],
    [{ state: 'failed', isUnreported: true }, 'no_report'],
    [{ state: 'revoked' }, 'money_returned'],
  ])('gives for %j the reason %s', (progress, reason) => {
    expect(lineOf({}, [item(progress)])?.reason).toBe(reason);
  });

  it('says that the game server is silent before it says anything else, and when it called last', () => {
    const waiting = [item({ requiresOnline: true })];
    expect(lineOf({}, waiting, SILENT)).toMatchObject({ reason: 'server_silent', lastCallAt: CALLED_AT.silent });
    expect(lineOf({}, waiting, serverWith())).toMatchObject({ reason: 'server_silent', lastCallAt: null });
    expect(lineOf({}, waiting, null)).toMatchObject({ reason: 'player_needed', lastCallAt: null });
    expect(lineOf({}, waiting)).toMatchObject({ reason: 'player_needed', lastCallAt: CALLED_AT.online });
    expect(lineOf({}, [item({ state: 'failed' })])).toMatchObject({ lastCallAt: null });
  });

  it('matches items to lines by their position, and gives a line without a delivery the state of the order', () => {
    const [first, second] = linesOf(
      { status: 'completed', paymentStatus: 'paid', deliveryStatus: 'delivered', items: [{}, {}] } as unknown as Order,
      [item({ position: 1, state: 'delivered', deliveredAt: NOW })],
      ONLINE,
      NOW,
    );
    expect([first?.state, first?.deliveredAt, second?.deliveredAt]).toEqual(['delivered', null, NOW]);
  });
});
