import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { unavailable } from '../../domain/errors/app-error.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { Semaphore } from '../../lib/concurrency/semaphore.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { CatalogueParts } from './catalogue-parts.js';
import { type CatalogueSnapshot, snapshotOf } from './catalogue-snapshot.js';
import { heapBytesOf } from './heap-bytes.js';

/** How many snapshots a process builds at the same time, so that they do not take the slots of all other transactions. */
const MAX_BUILDS = 4;
const MAX_WAITING = 1_000;

/** A snapshot that is being built. */
interface Build {
  /** The revision that was read before it. */
  readonly revision: string | null;
  /** Whether its reads have begun. Until then, it also serves a request that has read a later revision. */
  hasBegun: boolean;
  readonly snapshot: Promise<CatalogueSnapshot>;
}

/** What the memory of snapshots holds, for the metrics. */
export interface SnapshotMemory {
  readonly bytes: number;
  /** How many snapshots were too large to be kept. */
  readonly notKept: number;
}

/**
 * The snapshots of what shops sell. One for each shop is kept in memory, and used while its revision is the one that a request has
 * just read with the shop's record. So no process notifies another one of a change, and nothing that is stale is used.
 */
@Injectable()
export class CatalogueSnapshotsService {
  private readonly kept: LRUCache<string, CatalogueSnapshot>;
  /** By shop. */
  private readonly builds = new Map<string, Build[]>();
  private readonly slots = new Semaphore(MAX_BUILDS, MAX_WAITING, unavailable);
  private notKept = 0;

  constructor(
    private readonly parts: CatalogueParts,
    private readonly shops: ShopsService,
    private readonly transactions: Transactions,
    config: AppConfig,
  ) {
    this.kept = new LRUCache({
      maxSize: config.catalogueCacheBytes,
      sizeCalculation: (snapshot) => heapBytesOf(snapshot),
    });
  }

  get memory(): SnapshotMemory {
    return { bytes: this.kept.calculatedSize, notKept: this.notKept };
  }

  /**
   * The snapshot of a shop.
   * @param shop as it was read in this request
   * @returns the snapshot of its revision, or of a later one
   */
  of({ id, catalogueRevision }: Pick<Shop, 'id' | 'catalogueRevision'>): Promise<CatalogueSnapshot> {
    const kept = this.kept.get(id);
    if (kept?.revision === catalogueRevision) return Promise.resolve(kept);
    const current = this.builds.get(id)?.find(({ revision, hasBegun }) => !hasBegun || revision === catalogueRevision);
    return current?.snapshot ?? this.start(id, catalogueRevision);
  }

  /** The snapshot that a transaction sees. It is not kept. @throws AppError shop_not_found */
  async readIn(shopId: string, transaction: Transaction): Promise<CatalogueSnapshot> {
    const shop = await this.shops.getIn(shopId, transaction);
    return snapshotOf(shop.catalogueRevision, await this.parts.read(shop, transaction));
  }

  private start(shopId: string, revision: string | null): Promise<CatalogueSnapshot> {
    // A transaction of its own: never inside another one, which would hold a slot while it waits for another slot.
    const read = (): Promise<CatalogueSnapshot> =>
      this.transactions.run((transaction) => this.readIn(shopId, transaction));
    const progress = { revision, hasBegun: false };
    const built = this.slots.run(() => {
      progress.hasBegun = true;
      return read();
    });
    const build: Build = Object.assign(progress, { snapshot: built.then((snapshot) => this.keep(shopId, snapshot)) });
    const builds = [...(this.builds.get(shopId) ?? []), build];
    this.builds.set(shopId, builds);
    const end = (): void => {
      const others = (this.builds.get(shopId) ?? []).filter((other) => other !== build);
      if (others.length > 0) this.builds.set(shopId, others);
      else this.builds.delete(shopId);
    };
    void build.snapshot.then(end, end);
    return build.snapshot;
  }

  private keep(shopId: string, snapshot: CatalogueSnapshot): CatalogueSnapshot {
    this.kept.set(shopId, snapshot);
    // One that is larger than the whole memory is used, and not kept.
    if (!this.kept.has(shopId)) this.notKept++;
    return snapshot;
  }
}
