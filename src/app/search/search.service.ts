import { Injectable } from '@nestjs/common';
import { type Discount } from '../../catalogue/discounts/discount.types.js';
import { DiscountsService } from '../../catalogue/discounts/discounts.service.js';
import { type Product } from '../../catalogue/products/product.types.js';
import { ProductsService } from '../../catalogue/products/products.service.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { type ListedProfile } from '../../orders/buyer-profiles/buyer-profile.types.js';
import { BuyerProfilesService } from '../../orders/buyer-profiles/buyer-profiles.service.js';
import { type OrderSummary } from '../../orders/order/order.types.js';
import { StaffOrdersService } from '../../orders/staff/staff-orders.service.js';

/** How many records of each kind a search returns at most: it opens a record, and the lists have all of them. */
export const MAX_HITS = 5;

const FIRST_HITS = { after: null, limit: MAX_HITS } as const;

/** What a search has found, the newest records first, and players by name; null: the caller cannot read the kind. */
export interface SearchHits {
  readonly orders: readonly OrderSummary[] | null;
  readonly players: readonly ListedProfile[] | null;
  readonly products: readonly Product[] | null;
  readonly discounts: readonly Discount[] | null;
}

/** One search over what a shop has, by the same rules as the `?q=` of each list. */
@Injectable()
export class SearchService {
  constructor(
    private readonly orders: StaffOrdersService,
    private readonly buyers: BuyerProfilesService,
    private readonly products: ProductsService,
    private readonly discounts: DiscountsService,
  ) {}

  async search(context: ShopContext, q: string): Promise<SearchHits> {
    const { permissions } = context;
    const [orders, players, products, discounts] = await Promise.all([
      permissions.has('orders:read') ? this.orders.first(context, q, MAX_HITS) : null,
      permissions.has('orders:read') ? this.buyers.list(context, { q, kind: 'player' }, FIRST_HITS) : null,
      permissions.has('products:read') ? this.products.list(context, { q }, FIRST_HITS) : null,
      permissions.has('discounts:read') ? this.discounts.list(context, { q }, FIRST_HITS) : null,
    ]);
    return {
      orders,
      players: players?.items ?? null,
      products: products?.items ?? null,
      discounts: discounts?.items ?? null,
    };
  }
}
