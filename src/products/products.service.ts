import { Injectable } from '@nestjs/common';
import { changesBetween } from '../audit/audit-rules.js';
import { AuditService } from '../audit/audit.service.js';
import { commandProblems } from '../commands/command-template.js';
import { CommandsService } from '../commands/commands.service.js';
import { type ShopContext } from '../common/auth/auth-context.js';
import { AppError } from '../common/errors/app-error.js';
import { requireValid } from '../common/errors/require-valid.js';
import { type Page, type PageRequest } from '../common/http/page.js';
import { amountProblems, checkedMinor } from '../common/money/money.js';
import { present } from '../common/validation/change.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { claimOf, QuotasService } from '../quotas/quotas.service.js';
import { ServersService } from '../servers/servers.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { type CreateProductDto } from './dto/create-product.dto.js';
import { type ProductFields } from './dto/product-fields.dto.js';
import { type Product, type ProductWithCommands } from './product.types.js';
import { ProductsRepository } from './products.repository.js';

const DEFAULTS: Omit<ProductFields, 'name' | 'price'> = {
  description: '',
  imageUrl: null,
  serverIds: [],
  commands: [],
  isActive: true,
};

/** What a shop sells. */
@Injectable()
export class ProductsService {
  constructor(
    private readonly products: ProductsRepository,
    private readonly shops: ShopsService,
    private readonly servers: ServersService,
    private readonly commands: CommandsService,
    private readonly quotas: QuotasService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError validation_failed for a price with too many decimals or an unsafe command, server_not_found, quota_reached */
  async create(context: ShopContext, input: Readonly<CreateProductDto>): Promise<ProductWithCommands> {
    const { shopId, principal } = context;
    const { price, commands, ...fields } = { ...DEFAULTS, ...present(input) };
    const [{ currency }] = await Promise.all([
      this.shops.settingsOf(shopId),
      this.servers.requireAll(shopId, fields.serverIds),
    ]);
    requireValid([...amountProblems({ price }, currency), ...commandProblems('commands', commands)]);
    const priceMinor = checkedMinor(price, currency);
    const values = { ...fields, priceMinor, currency, createdAt: new Date(), createdBy: principal };
    const work = async (transaction: Transaction): Promise<ProductWithCommands> => {
      const count = (upTo: number): Promise<number> => this.products.countAll(shopId, upTo, transaction);
      await this.quotas.requireRoom('productsPerShop', shopId, count, transaction);
      const commandListId = await this.commands.store(shopId, commands, transaction);
      const created = await this.products.insert(shopId, { ...values, commandListId }, transaction);
      const changes = changesBetween(null, { ...fields, commands, price });
      await this.audit.record(context, { action: 'product.created', subjectId: created.id, changes }, transaction);
      return { ...created, commands };
    };
    return this.transactions.run(work, { oneAtATime: claimOf('productsPerShop', shopId) });
  }

  /** A key that is bound to game servers gets the products that are sold for them. */
  async list({ shopId, serverIds }: ShopContext, page: PageRequest): Promise<Page<ProductWithCommands>> {
    const products = await this.products.list(shopId, serverIds, page);
    const listIds = products.items.map(({ commandListId }) => commandListId);
    const commandsOf = await this.commands.ofLists(shopId, listIds);
    return products.map((product) => ({ ...product, commands: commandsOf(product.commandListId) }));
  }

  /** @throws AppError product_not_found unless all are products of the shop */
  async requireAll(shopId: string, productIds: readonly string[]): Promise<void> {
    if (productIds.length === 0) return;
    if ((await this.products.count(shopId, productIds)) !== new Set(productIds).size) {
      throw new AppError('product_not_found');
    }
  }

  /** Returns those of these products that the shop has, by id. */
  async byIds(shopId: string, productIds: readonly string[]): Promise<ReadonlyMap<string, Product>> {
    const products = await this.products.findByIds(shopId, productIds);
    return new Map(products.map((product) => [product.id, product]));
  }
}
