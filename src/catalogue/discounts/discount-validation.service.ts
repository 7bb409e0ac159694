import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { requireServer, type ShopContext } from '../../domain/principal/auth-context.js';
import { amountProblems, checkedMinor } from '../../lib/money/money.js';
import { codeOf } from '../../lib/strings/code.js';
import { isReduced } from '../pricing/price-basket.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { CatalogueSnapshotsService } from '../snapshot/catalogue-snapshots.service.js';
import { CODE_NOT_FOUND, discountAmount, reasonsAgainst } from './discount-rules.js';
import { type Validation } from './discount.types.js';
import { DiscountsService } from './discounts.service.js';

/** The query of a storefront: whether a code applies to this order value, product and server. */
export interface ValidationRequest {
  readonly code: string;
  /** Major units. */
  readonly orderValue: number;
  readonly productId?: string | undefined;
  readonly serverId?: string | undefined;
}

/** Checks codes for storefronts. */
@Injectable()
export class DiscountValidationService {
  constructor(
    private readonly discounts: DiscountsService,
    private readonly shops: ShopsService,
    private readonly snapshots: CatalogueSnapshotsService,
  ) {}

  /**
   * Checks a code without using it. The buyer is not known here, so limits per buyer are checked when the order is created.
   * @throws AppError validation_failed for an amount with too many decimals, product_not_found, server_not_found,
   * server_access_denied for a key that is bound to other servers
   */
  async validate(context: ShopContext, request: ValidationRequest): Promise<Validation> {
    const { shopId } = context;
    const { orderValue, productId, serverId } = request;
    requireServer(context, serverId);
    const code = codeOf(request.code);
    const now = new Date();
    const [discount, reducedIds] = await Promise.all([
      this.discounts.findByCode(shopId, code, null),
      this.requireSold(shopId, request, now),
    ]);
    // A discount has the currency of its shop, which never changes.
    const currency = discount?.currency ?? (await this.shops.currencyOf(shopId));
    requireValid(amountProblems({ orderValue }, currency));
    const orderMinor = checkedMinor(orderValue, currency);
    if (discount === null) return { code, discount, orderMinor, discountMinor: 0, currency, reasons: [CODE_NOT_FOUND] };
    const reasons = reasonsAgainst(discount, {
      orderMinor,
      productIds: productId === undefined ? [] : [productId],
      reducedIds,
      serverId: serverId ?? null,
      now,
      used: await this.discounts.usesOf(discount),
      buyer: null,
    });
    const discountMinor = reasons.length === 0 ? discountAmount(discount, orderMinor) : 0;
    return { code, discount, orderMinor, discountMinor, currency, reasons };
  }

  /**
   * @returns the product, if it is reduced now
   * @throws AppError product_not_found, server_not_found unless what the request names belongs to the shop
   */
  private async requireSold(
    shopId: string,
    { productId, serverId }: ValidationRequest,
    now: Date,
  ): Promise<readonly string[]> {
    if (productId === undefined && serverId === undefined) return [];
    const { products, servers, sales } = await this.snapshots.of(await this.shops.settingsOf(shopId));
    const product = productId === undefined ? undefined : products.get(productId);
    if (productId !== undefined && product === undefined) throw new AppError('product_not_found');
    if (serverId !== undefined && !servers.has(serverId)) throw new AppError('server_not_found');
    return product !== undefined && isReduced(product, sales, now) ? [product.id] : [];
  }
}
