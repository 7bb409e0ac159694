import { type CommandStages } from '../../src/catalogue/commands/command-list.types.js';
import { type CommandsService } from '../../src/catalogue/commands/commands.service.js';
import { type PriceHistoryService } from '../../src/catalogue/pricing/price-history.service.js';
import { AppError } from '../../src/domain/errors/app-error.js';
import { Page } from '../../src/lib/paging/page.js';
import { type ProductReferencesService } from '../../src/catalogue/products/product-references.service.js';
import { type Product } from '../../src/catalogue/products/product.types.js';
import { type ProductsRepository } from '../../src/catalogue/products/products.repository.js';
import { ProductsService } from '../../src/catalogue/products/products.service.js';
import { type TransactionOptions } from '../../src/infrastructure/database/transactions.js';
import { type ShopsService } from '../../src/shops/shops/shops.service.js';
import { SHOP } from './contexts.js';
import { type Call, FakeAudit, fakeCatalogueWrites, FakeQuotas, recording, transactionsInTurns } from './fakes.js';
import { productWith } from './products.js';
import { shopTimes } from './shops.js';
import { soldWith } from './snapshots.js';
import { NO_COMMANDS } from './commands.js';

export const SERVER = '655f1c2ab1e4a9d3f0c81260';
export const CATEGORY = '655f1c2ab1e4a9d3f0c81290';
export const PRODUCT = productWith();

/** The commands of a list in the fake of `CommandsService`. */
export const stagesIn = (listId: string): CommandStages => ({ ...NO_COMMANDS, commands: [`say ${listId}`] });

/** The service for `SHOP`, which has `PRODUCT`, `SERVER` and `CATEGORY`, with fakes of everything around it. */
export class ProductsServiceSetup {
  /** The calls of the repository and of `CommandsService`. */
  readonly calls: Call[] = [];
  /** The calls of `ProductReferencesService`. */
  readonly referred: Call[] = [];
  /** The calls of `PriceHistoryService`. */
  readonly priced: Call[] = [];
  readonly audit = new FakeAudit();
  readonly quotas = new FakeQuotas();
  /** The `oneAtATime` names of the transactions so far. */
  readonly queues: TransactionOptions['oneAtATime'][] = [];
  currency = 'EUR';
  /** The products of `SHOP`. */
  stored: Product[] = [PRODUCT];
  readonly service: ProductsService;

  constructor() {
    const { calls, referred, priced, audit, quotas, queues } = this;
    this.service = new ProductsService(
      recording<ProductsRepository>(calls, {
        countAll: () => Promise.resolve(4),
        insert: (shopId, values) => Promise.resolve({ ...values, id: PRODUCT.id, shopId }),
        list: () => Promise.resolve(new Page(this.stored, null)),
        countKnown: (shopId, ids) => Promise.resolve(this.found(shopId, ids).length),
        listSold: () => Promise.resolve(this.stored.map((product) => soldWith(product))),
        find: (shopId, id) => Promise.resolve(this.found(shopId, [id])[0] ?? null),
        exists: (shopId, id) => Promise.resolve(this.found(shopId, [id]).length === 1),
        update: (shopId, id, { stock, ...values }) =>
          Promise.resolve(this.changed(shopId, id, stock === undefined ? values : { ...values, stock })),
        archive: (shopId, id) => Promise.resolve(this.changed(shopId, id, {})),
        stockOf: (_, ids) => Promise.resolve(new Map(ids.map((id) => [id, 3]))),
        takeStock: (_, { quantity }) => Promise.resolve(quantity <= 3),
        takeStockAnyway: () => Promise.resolve(),
        releaseStock: () => Promise.resolve(),
      }),
      recording<ShopsService>([], {
        currencyOf: () => Promise.resolve(this.currency),
        withInstants: shopTimes.withInstants.bind(shopTimes),
      }),
      recording<ProductReferencesService>(referred, {
        requireServers: (shopId, ids) =>
          ids.every((id) => shopId === SHOP && id === SERVER)
            ? Promise.resolve()
            : Promise.reject(new AppError('server_not_found')),
        requireHead: () => Promise.resolve(),
        requirePriceRule: () => Promise.resolve(),
        useImages: () => Promise.resolve(),
        requireOthers: () => Promise.resolve(),
        requireSameTier: () => Promise.resolve(),
        leaveTierGroup: () => Promise.resolve(),
        lockCategory: (_, id) =>
          id === null || id === CATEGORY ? Promise.resolve() : Promise.reject(new AppError('category_not_found')),
      }),
      recording<CommandsService>(calls, {
        store: () => Promise.resolve(PRODUCT.commandListId),
        ofLists: (_, ids) => Promise.resolve((id) => (ids.includes(id) ? stagesIn(id) : NO_COMMANDS)),
      }),
      recording<PriceHistoryService>(priced, {
        begin: () => Promise.resolve(),
        change: () => Promise.resolve(),
        stop: () => Promise.resolve(),
      }),
      quotas.asService,
      fakeCatalogueWrites(audit, transactionsInTurns(queues)),
    );
  }

  private found(shopId: string, ids: readonly string[]): Product[] {
    return this.stored.filter((product) => product.shopId === shopId && ids.includes(product.id));
  }

  private changed(shopId: string, id: string, change: Partial<Product>): Product | null {
    return this.found(shopId, [id]).map((product) => ({ ...product, ...change }))[0] ?? null;
  }
}
