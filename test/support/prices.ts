import { NO_END, type PriceChange } from '../../src/catalogue/pricing/price-change.types.js';
import { type SoldSale } from '../../src/catalogue/sales/sale.types.js';

/** A sale of 25 % off everything, without an end. */
export function saleWith(fields: Partial<SoldSale> = {}): SoldSale {
  return {
    ...{ id: 'sale', name: 'Black Friday', type: 'percent', value: 25, scope: 'all', endsAt: null },
    ...{ productIds: [], categoryIds: [], excludedProductIds: [], startsAt: new Date(0) },
    ...fields,
  };
}

/** A price that is in force. */
export function changeWith(fields: Partial<PriceChange> = {}): PriceChange {
  return {
    ...{ id: 'change', shopId: '655f1c2ab1e4a9d3f0c81234', productId: 'vip', from: new Date(0), until: NO_END },
    ...{ listMinor: 1_000, compareAtMinor: null, categoryId: null, hasUnknownPast: false },
    ...fields,
  };
}
