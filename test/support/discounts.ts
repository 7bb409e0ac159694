import { type Discount } from '../../src/discounts/discount.types.js';

/** A discount of 10 percent without limits. */
export function discountWith(fields: Partial<Discount> = {}): Discount {
  return {
    id: '655f1c2ab1e4a9d3f0c81280',
    shopId: '655f1c2ab1e4a9d3f0c81234',
    code: 'SUMMER10',
    type: 'percent',
    value: 10,
    currency: 'EUR',
    maxDiscountMinor: null,
    minOrderMinor: null,
    productIds: null,
    serverIds: null,
    maxUses: null,
    maxUsesPerBuyer: null,
    firstPurchaseOnly: false,
    startsAt: null,
    endsAt: null,
    isActive: true,
    used: 0,
    createdAt: new Date('2026-11-21T12:00:00.000Z'),
    createdBy: 'user:655f1c2ab1e4a9d3f0c81299',
    ...fields,
  };
}
