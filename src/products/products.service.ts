import { Injectable } from '@nestjs/common';
import { changesBetween } from '../audit/audit-rules.js';
import { AuditService } from '../audit/audit.service.js';
import { type ShopContext } from '../common/auth/auth-context.js';
import { AppError } from '../common/errors/app-error.js';
import { Page } from '../common/http/page.js';
import { type PageQuery } from '../common/http/page.query.dto.js';
import { toMinor } from '../common/money/money.js';
import { Transactions } from '../database/transactions.js';
import { ServersService } from '../servers/servers.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { type Product } from './product.types.js';
import { ProductsRepository } from './products.repository.js';

export interface NewProduct {
  readonly name: string;
  readonly description?: string;
  /** Major units. */
  readonly price: number;
  readonly imageUrl?: string | null;
  readonly serverIds?: readonly string[];
  readonly commands?: readonly string[];
  readonly isActive?: boolean;
}

/** What a shop sells. */
@Injectable()
export class ProductsService {
  constructor(
    private readonly products: ProductsRepository,
    private readonly shops: ShopsService,
    private readonly servers: ServersService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError validation_failed for a price with too many decimals, server_not_found */
  async create(context: ShopContext, input: NewProduct): Promise<Product> {
    const { shopId } = context;
    const serverIds = [...new Set(input.serverIds ?? [])];
    const [{ currency }] = await Promise.all([
      this.shops.settingsOf(shopId),
      this.servers.requireAll(shopId, serverIds),
    ]);
    const priceMinor = toMinor(input.price, currency);
    if (priceMinor === null) {
      throw new AppError('validation_failed', { message: `price has more decimals than ${currency} allows` });
    }
    const product = {
      name: input.name,
      description: input.description ?? '',
      priceMinor,
      currency,
      imageUrl: input.imageUrl ?? null,
      serverIds,
      commands: [...(input.commands ?? [])],
      isActive: input.isActive ?? true,
      createdAt: new Date(),
      createdBy: context.principal,
    };
    return this.transactions.run(async (transaction) => {
      const created = await this.products.insert(shopId, product, transaction);
      const changes = changesBetween(null, { name: created.name });
      await this.audit.record(context, { action: 'product.created', subjectId: created.id, changes }, transaction);
      return created;
    });
  }

  async list({ shopId, serverIds }: ShopContext, query: PageQuery): Promise<Page<Product>> {
    return Page.of(await this.products.list(shopId, serverIds, query.after, query.limit + 1), query.limit);
  }

  /** @throws AppError product_not_found unless all are products of the shop */
  async requireAll(shopId: string, productIds: readonly string[]): Promise<void> {
    if (productIds.length === 0) return;
    if ((await this.products.count(shopId, productIds)) !== new Set(productIds).size) {
      throw new AppError('product_not_found');
    }
  }

  /** The products of a shop with these ids, by id. */
  async byIds(shopId: string, productIds: readonly string[]): Promise<ReadonlyMap<string, Product>> {
    const products = await this.products.findByIds(shopId, productIds);
    return new Map(products.map((product) => [product.id, product]));
  }
}
