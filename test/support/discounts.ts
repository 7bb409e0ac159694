import { expect } from '@jest/globals';
import { AppError } from '../../src/domain/errors/app-error.js';
import { Page } from '../../src/lib/paging/page.js';
import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import {
  type Discount,
  type DiscountValues,
  type UncountedDiscount,
} from '../../src/catalogue/discounts/discount.types.js';
import { type DiscountsRepository } from '../../src/catalogue/discounts/discounts.repository.js';
import { DiscountValidationService } from '../../src/catalogue/discounts/discount-validation.service.js';
import { DiscountsService } from '../../src/catalogue/discounts/discounts.service.js';
import { type ProductsService } from '../../src/catalogue/products/products.service.js';
import { type ServersService } from '../../src/catalogue/servers/servers.service.js';
import { type ShopsService } from '../../src/shops/shops/shops.service.js';
import { SHOP } from './contexts.js';
import { FakeAudit, FakeQuotas, TRANSACTION, transactionsInTurns } from './fakes.js';
import { shopTimes, shopWith } from './shops.js';
import { snapshotsOf, snapshotWith, soldServerWith, soldWith } from './snapshots.js';

/** The one product and the one server that `SHOP` has here. */
export const PRODUCT = '655f1c2ab1e4a9d3f0c81270';
export const SERVER = '655f1c2ab1e4a9d3f0c81260';
export const UNKNOWN = '0'.repeat(24);

/** A discount of 10 percent without limits. */
export function discountWith(fields: Partial<Discount> = {}): Discount {
  return {
    id: '655f1c2ab1e4a9d3f0c81280',
    shopId: '655f1c2ab1e4a9d3f0c81234',
    code: 'SUMMER10',
    name: null,
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
    excludesReduced: false,
    startsAt: null,
    endsAt: null,
    isActive: true,
    used: 0,
    createdAt: new Date('2026-11-21T12:00:00.000Z'),
    createdBy: 'user:655f1c2ab1e4a9d3f0c81299',
    ...fields,
  };
}

/** The discounts in memory. */
export class FakeDiscounts implements Pick<
  DiscountsRepository,
  'insert' | 'list' | 'find' | 'findByCode' | 'usesOf' | 'update' | 'delete'
> {
  stored: Discount[] = [];
  writes = 0;

  insert(shopId: string, values: Omit<UncountedDiscount, 'id' | 'shopId'>): Promise<Discount> {
    const discount = { ...values, used: 0, id: '655f1c2ab1e4a9d3f0c81280', shopId };
    this.stored.push(discount);
    return Promise.resolve(discount);
  }

  countAll(shopId: string, upTo: number, transaction: Transaction): Promise<number> {
    expect([upTo, transaction]).toEqual([5, TRANSACTION]);
    return Promise.resolve(this.stored.filter((discount) => discount.shopId === shopId).length);
  }

  list(shopId: string): Promise<Page<Discount>> {
    return Promise.resolve(
      new Page(
        this.stored.filter((discount) => discount.shopId === shopId),
        null,
      ),
    );
  }

  find(shopId: string, discountId: string): Promise<Discount | null> {
    return Promise.resolve(this.stored.find(({ id, shopId: owner }) => id === discountId && owner === shopId) ?? null);
  }

  findByCode(shopId: string, code: string): Promise<Discount | null> {
    const found = this.stored.find((discount) => discount.shopId === shopId && discount.code === code);
    return Promise.resolve(found ?? null);
  }

  usesOf({ id }: UncountedDiscount): Promise<number> {
    return Promise.resolve(this.stored.find((discount) => discount.id === id)?.used ?? 0);
  }

  async update(shopId: string, discountId: string, change: Partial<DiscountValues>): Promise<Discount | null> {
    const before = await this.find(shopId, discountId);
    if (before === null) return null;
    const after = { ...before, ...change };
    this.stored[this.stored.indexOf(before)] = after;
    this.writes++;
    return after;
  }

  async delete(shopId: string, discountId: string): Promise<Discount | null> {
    const before = await this.find(shopId, discountId);
    this.stored = this.stored.filter((discount) => discount !== before);
    return before;
  }
}

/** The service with its fakes. */
export interface DiscountsInMemory {
  readonly discounts: FakeDiscounts;
  readonly audit: FakeAudit;
  readonly quotas: FakeQuotas;
  /** The `oneAtATime` names of the transactions so far. */
  readonly queues: (string | undefined)[];
  /** The settings of every shop. */
  readonly settings: { currency: string };
  readonly service: DiscountsService;
  readonly validations: DiscountValidationService;
}

export function discountsInMemory(): DiscountsInMemory {
  const discounts = new FakeDiscounts();
  const audit = new FakeAudit();
  const quotas = new FakeQuotas();
  const queues: (string | undefined)[] = [];
  const settings = { currency: 'EUR' };
  const requireAll =
    (known: string, error: 'product_not_found' | 'server_not_found') => (shopId: string, ids: string[]) =>
      ids.every((id) => id === known && shopId === SHOP) ? Promise.resolve() : Promise.reject(new AppError(error));
  const service = new DiscountsService(
    discounts as unknown as DiscountsRepository,
    { ...shopTimes, currencyOf: () => Promise.resolve(settings.currency) } as unknown as ShopsService,
    { requireAll: requireAll(PRODUCT, 'product_not_found') } as unknown as ProductsService,
    { requireAll: requireAll(SERVER, 'server_not_found') } as unknown as ServersService,
    quotas.asService,
    audit.asService,
    transactionsInTurns(queues),
  );
  const shops = {
    currencyOf: () => Promise.resolve(settings.currency),
    settingsOf: (id: string) => Promise.resolve(shopWith({ id })),
  } as unknown as ShopsService;
  const sold = snapshotWith({ products: [soldWith({ id: PRODUCT })], servers: [soldServerWith({ id: SERVER })] });
  const validations = new DiscountValidationService(
    service,
    shops,
    snapshotsOf(() => sold),
  );
  return { discounts, audit, quotas, queues, settings, service, validations };
}
