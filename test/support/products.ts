import { NO_TERMS } from '../../src/catalogue/products/selling-terms.js';
import { type Product } from '../../src/catalogue/products/product.types.js';

/** A product for every server. */
export function productWith(fields: Partial<Product> = {}): Product {
  return {
    id: '655f1c2ab1e4a9d3f0c81270',
    shopId: '655f1c2ab1e4a9d3f0c81234',
    name: 'VIP',
    slug: null,
    summary: null,
    description: '',
    label: null,
    metadata: [],
    featured: false,
    priceMinor: 999,
    compareAtPriceMinor: null,
    currency: 'EUR',
    imageUrls: [],
    imageIds: [],
    categoryId: null,
    position: 0,
    stock: null,
    maxPerOrder: null,
    maxPerBuyer: null,
    serverIds: [],
    commandListId: '655f1c2ab1e4a9d3f0c81275',
    durationDays: null,
    repeat: null,
    countsAs: null,
    ownedEverywhere: false,
    requiresOnline: false,
    restockOnRefund: false,
    isActive: true,
    ...NO_TERMS,
    archivedAt: null,
    createdAt: new Date('2026-11-21T12:00:00.000Z'),
    createdBy: 'user:655f1c2ab1e4a9d3f0c81299',
    ...fields,
  };
}
