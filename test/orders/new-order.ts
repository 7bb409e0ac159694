import { newObjectId } from '../../src/lib/ids/object-id.js';
import { type HistoryEntry, type NewOrder } from '../../src/orders/order/order.types.js';

export const CREATED = new Date('2026-11-21T12:00:00.000Z');
export const EXPIRES = new Date('2026-11-21T13:00:00.000Z');
/** A second after the time of `newOrder` is over. */
export const LATER = new Date('2026-11-21T13:00:01.000Z');
export const STEVE = { buyerKey: 'steve@example.com', nicknameKey: 'steve_42' };
export const ALEX = { buyerKey: 'alex@example.com', nicknameKey: 'alex_42' };

export function historyEntry(action: string, at: Date): HistoryEntry {
  return { at, actor: 'system', action, detail: null };
}

let created = 0;

/** An open order of one product with a discount code, for specs of repositories. */
export function newOrder(fields: Partial<NewOrder> = {}): NewOrder {
  return {
    id: newObjectId(),
    number: ++created,
    origin: 'checkout',
    serverId: newObjectId(),
    nickname: 'Steve_42',
    email: 'Steve@example.com',
    ...STEVE,
    status: 'open',
    paymentStatus: 'pending',
    deliveryStatus: 'none',
    items: [
      {
        productId: newObjectId(),
        name: 'VIP',
        quantity: 1,
        listMinor: 1_100,
        saleId: null,
        saleMinor: 0,
        unitPriceMinor: 1_100,
        totalMinor: 1_100,
        discountMinor: 100,
        netMinor: 1_000,
        requiresOnline: false,
        durationDays: null,
        repeat: 'parallel',
        countsAs: newObjectId(),
        ownedEverywhere: false,
        takesStock: false,
        commandListId: newObjectId(),
      },
    ],
    itemCount: 1,
    subtotalMinor: 1_100,
    discount: { discountId: newObjectId(), code: 'WELCOME', amountMinor: 100 },
    totalMinor: 1_000,
    currency: 'EUR',
    createdAt: CREATED,
    paidAt: null,
    expiresAt: EXPIRES,
    isFirstPurchase: null,
    payments: [],
    reversals: [],
    review: null,
    history: [historyEntry('created', CREATED)],
    accessTokenHash: `hash of ${newObjectId()}`,
    ...fields,
  };
}
