import {
  type CatalogueContents,
  type CatalogueSnapshot,
  snapshotOf,
  type SoldProduct,
  type SoldServer,
} from '../../src/catalogue/snapshot/catalogue-snapshot.js';
import { type CatalogueSnapshotsService } from '../../src/catalogue/snapshot/catalogue-snapshots.service.js';
import { type Product } from '../../src/catalogue/products/product.types.js';
import { NO_COMMANDS } from './commands.js';
import { productWith } from './products.js';

/** A product of a snapshot with one command. */
export function soldWith({ stages, ...fields }: Partial<Product & SoldProduct> = {}): SoldProduct {
  const { shopId: _s, archivedAt: _a, createdAt: _c, createdBy: _b, stock, ...product } = productWith(fields);
  const commands = { ...NO_COMMANDS, commands: ['give {nickname} vip'] };
  return { ...product, hasStock: stock !== null, stages: stages ?? commands };
}

/** A visible server of a snapshot. */
export function soldServerWith(fields: Partial<SoldServer> = {}): SoldServer {
  const server = {
    id: '655f1c2ab1e4a9d3f0c81260',
    name: 'Survival',
    game: 'minecraft',
    address: null,
    isHidden: false,
  };
  return { ...server, ...fields };
}

export function snapshotWith(
  contents: Partial<CatalogueContents> = {},
  revision: string | null = 'r1',
): CatalogueSnapshot {
  const parts = {
    products: [],
    categories: [],
    servers: [],
    sales: [],
    tierGroups: [],
    priorPrices: new Map<string, never>(),
    methods: [],
  };
  return snapshotOf(revision, { ...parts, ...contents });
}

/** The snapshots of a service whose shops sell what `current` returns. */
export function snapshotsOf(current: () => CatalogueSnapshot): CatalogueSnapshotsService {
  const snapshot = (): Promise<CatalogueSnapshot> => Promise.resolve(current());
  return { of: snapshot, readIn: snapshot } as unknown as CatalogueSnapshotsService;
}
