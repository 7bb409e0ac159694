import { Injectable } from '@nestjs/common';
import { changesBetween } from '../audit/audit-rules.js';
import { AuditService } from '../audit/audit.service.js';
import { type ShopContext } from '../common/auth/auth-context.js';
import { requireServer } from '../common/auth/server-binding.js';
import { AppError } from '../common/errors/app-error.js';
import { Page } from '../common/http/page.js';
import { type PageQuery } from '../common/http/page.query.dto.js';
import { type MinorUnits, toMinor } from '../common/money/money.js';
import { Transactions } from '../database/transactions.js';
import { ProductsService } from '../products/products.service.js';
import { ServersService } from '../servers/servers.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { discountProblems, type NewDiscount } from './discount-input.js';
import { discountAmount, normaliseCode, reasonsAgainst } from './discount-rules.js';
import { type Discount, type DiscountReason } from './discount.types.js';
import { DiscountsRepository } from './discounts.repository.js';

/** What a storefront asks: does this code hold for this order value, product and server? */
export interface ValidationRequest {
  readonly code: string;
  /** Major units. */
  readonly orderValue: number;
  readonly productId?: string | undefined;
  readonly serverId?: string | undefined;
}

export interface Validation {
  readonly code: string;
  /** null when there is no such code. */
  readonly discount: Discount | null;
  readonly orderMinor: MinorUnits;
  readonly discountMinor: MinorUnits;
  readonly currency: string;
  readonly reasons: readonly DiscountReason[];
}

/** Discount codes: made by the shop, looked at by storefronts. Their uses are counted by `RedemptionsService`. */
@Injectable()
export class DiscountsService {
  constructor(
    private readonly discounts: DiscountsRepository,
    private readonly shops: ShopsService,
    private readonly products: ProductsService,
    private readonly servers: ServersService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError validation_failed, discount_code_taken, product_not_found, server_not_found */
  async create(context: ShopContext, input: NewDiscount): Promise<Discount> {
    const { shopId } = context;
    const [{ currency }] = await Promise.all([
      this.shops.settingsOf(shopId),
      this.products.requireAll(shopId, input.productIds ?? []),
      this.servers.requireAll(shopId, input.serverIds ?? []),
    ]);
    const problems = discountProblems(input, currency);
    if (problems.length > 0) throw new AppError('validation_failed', { message: problems.join('; ') });
    const minor = (amount: number | null | undefined): MinorUnits | null =>
      amount == null ? null : toMinor(amount, currency);
    const discount = {
      code: normaliseCode(input.code),
      type: input.type,
      value: input.type === 'fixed' ? (minor(input.value) ?? 0) : input.value,
      currency,
      maxDiscountMinor: minor(input.maxDiscount),
      minOrderMinor: minor(input.minOrderValue),
      productIds: input.productIds ?? null,
      serverIds: input.serverIds ?? null,
      maxUses: input.maxUses ?? null,
      maxUsesPerBuyer: input.maxUsesPerBuyer ?? null,
      firstPurchaseOnly: input.firstPurchaseOnly ?? false,
      startsAt: input.startsAt ?? null,
      endsAt: input.endsAt ?? null,
      isActive: input.isActive ?? true,
      createdAt: new Date(),
      createdBy: context.principal,
    };
    return this.transactions.run(async (transaction) => {
      const created = await this.discounts.insert(shopId, discount, transaction);
      const changes = changesBetween(null, { code: created.code });
      await this.audit.record(context, { action: 'discount.created', subjectId: created.id, changes }, transaction);
      return created;
    });
  }

  async list({ shopId }: ShopContext, query: PageQuery): Promise<Page<Discount>> {
    return Page.of(await this.discounts.list(shopId, query.after, query.limit + 1), query.limit);
  }

  /**
   * Looks, never counts a use. Who buys is not known here, so limits per buyer are left to the order.
   * @throws AppError validation_failed for an amount with too many decimals, product_not_found, server_not_found,
   * server_access_denied for a key that is bound to other game servers than the one asked for
   */
  async validate(context: ShopContext, request: ValidationRequest): Promise<Validation> {
    const { shopId } = context;
    const { productId, serverId } = request;
    requireServer(context, serverId);
    const code = normaliseCode(request.code);
    const [{ currency }, discount] = await Promise.all([
      this.shops.settingsOf(shopId),
      this.discounts.findByCode(shopId, code),
      productId === undefined ? undefined : this.products.requireAll(shopId, [productId]),
      serverId === undefined ? undefined : this.servers.requireAll(shopId, [serverId]),
    ]);
    const orderMinor = toMinor(request.orderValue, currency);
    if (orderMinor === null) {
      throw new AppError('validation_failed', { message: `orderValue has more decimals than ${currency} allows` });
    }
    if (discount === null) {
      const reasons: DiscountReason[] = [{ code: 'code_not_found', message: 'There is no such code' }];
      return { code, discount, orderMinor, discountMinor: 0, currency, reasons };
    }
    const reasons = reasonsAgainst(discount, {
      orderMinor,
      productIds: productId === undefined ? [] : [productId],
      serverId: serverId ?? null,
      now: new Date(),
      buyer: null,
    });
    const discountMinor = reasons.length === 0 ? discountAmount(discount, orderMinor) : 0;
    return { code, discount, orderMinor, discountMinor, currency, reasons };
  }
}
