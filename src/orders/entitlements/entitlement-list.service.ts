import { Injectable } from '@nestjs/common';
import { ProductsService } from '../../catalogue/products/products.service.js';
import { type CatalogueSnapshot } from '../../catalogue/snapshot/catalogue-snapshot.js';
import { CatalogueSnapshotsService } from '../../catalogue/snapshot/catalogue-snapshots.service.js';
import { orHigher, tierOfHead } from '../../catalogue/tier-groups/tier-group-rules.js';
import { type Tier } from '../../catalogue/tier-groups/tier-group.types.js';
import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { requireServer, type ShopContext } from '../../domain/principal/auth-context.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { isObjectId } from '../../lib/ids/object-id.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { type Moment } from '../../lib/time/instant.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { EntitlementsRepository } from './entitlements.repository.js';
import { ownedProductOf, shownState } from './entitlement-rules.js';
import { type Entitlement, type OwnedProduct } from './entitlement.types.js';

/** Which entitlements a caller looks for. */
export interface EntitlementSearch {
  readonly nickname?: string | undefined;
  readonly productId?: string | undefined;
  readonly serverId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly changedSince?: Moment | undefined;
  readonly state: 'owned' | 'all';
}

/** Whether a player owns a product on a game server. */
export interface OwnershipQuestion {
  readonly nickname: string;
  /** The id or the slug of a product. */
  readonly product: string;
  readonly serverId?: string | undefined;
}

export interface NamedEntitlement extends Entitlement {
  /** null: the shop has never had the product. */
  readonly productName: string | null;
  /** null: it is no tier now. */
  readonly tier: Tier | null;
}

/** Who owns what until when, for plugins and staff. */
@Injectable()
export class EntitlementListService {
  constructor(
    private readonly entitlements: EntitlementsRepository,
    private readonly products: ProductsService,
    private readonly shops: ShopsService,
    private readonly snapshots: CatalogueSnapshotsService,
  ) {}

  /** A key that is bound to game servers sees what is owned there or on all, and what waits for any. */
  async list(
    { shopId, serverIds }: ShopContext,
    { nickname, state, ...search }: EntitlementSearch,
    page: PageRequest,
  ): Promise<Page<NamedEntitlement>> {
    const { productId, serverId, orderId, changedSince } = await this.shops.withInstants(shopId, search);
    const nicknameKey = nickname === undefined ? undefined : nicknameKeyOf(nickname);
    const filter = { nicknameKey, productId, serverId, orderId, changedSince, isOwned: state === 'owned' };
    const found = await this.entitlements.list(shopId, serverIds, filter, page, new Date());
    const named = await this.named(shopId, found.items);
    return found.map(named);
  }

  /** @throws AppError entitlement_not_found */
  async get(shopId: string, id: string): Promise<NamedEntitlement> {
    const found = orNotFound(await this.entitlements.find(shopId, id, null), 'entitlement_not_found');
    return (await this.named(shopId, [found]))(found);
  }

  /**
   * Whether a player owns a product, what counts as it, or a higher tier of its group. A deleted product is found by its id: who bought it owns it all the same.
   * @throws AppError product_not_found for an unknown slug; server_access_denied when a key that is bound to game servers names none of them
   */
  async check(context: ShopContext, { nickname, product, serverId }: OwnershipQuestion): Promise<OwnedProduct> {
    const { shopId } = context;
    requireServer(context, serverId);
    const snapshot = await this.snapshotOf(shopId);
    const named = productOf(snapshot, product);
    const heads = [...new Set([named.productId, ...orHigher(named.countsAs, snapshot.tierGroups)])];
    const found = await this.entitlements.ofPlayers(shopId, [nicknameKeyOf(nickname)], heads, null);
    const isThere = (one: Entitlement): boolean =>
      serverId === undefined || one.serverId === null || one.serverId === serverId;
    return ownedProductOf(named, found.filter(isThere), snapshot.tierGroups, new Date());
  }

  /** What a player owns, or will own when it is delivered, that counts as one of these products. */
  async openOf(
    shopId: string,
    nicknameKey: string,
    countsAs: readonly string[],
    transaction: Transaction | null,
  ): Promise<readonly Pick<Entitlement, 'countsAs' | 'serverId'>[]> {
    const now = new Date();
    const found = await this.entitlements.ofPlayers(shopId, [nicknameKey], countsAs, transaction);
    return found.filter((one) => shownState(one, now) !== 'ended');
  }

  private async snapshotOf(shopId: string): Promise<CatalogueSnapshot> {
    return this.snapshots.of(await this.shops.settingsOf(shopId));
  }

  /** What adds names and tiers to some entitlements. */
  private async named(
    shopId: string,
    entitlements: readonly Entitlement[],
  ): Promise<(entitlement: Entitlement) => NamedEntitlement> {
    const names = await this.products.namesOf(shopId, [...new Set(entitlements.map(({ productId }) => productId))]);
    const { tierGroups } = await this.snapshotOf(shopId);
    return (one) => ({
      ...one,
      productName: names.get(one.productId) ?? null,
      tier: tierOfHead(one.countsAs, tierGroups),
    });
  }
}

/** @throws AppError product_not_found */
function productOf(
  { products }: CatalogueSnapshot,
  idOrSlug: string,
): { readonly productId: string; readonly countsAs: string } {
  const byId = isObjectId(idOrSlug) ? idOrSlug.toLowerCase() : null;
  const sold = byId === null ? [...products.values()].find(({ slug }) => slug === idOrSlug) : products.get(byId);
  const productId = orNotFound(sold?.id ?? byId, 'product_not_found');
  return { productId, countsAs: sold?.countsAs ?? productId };
}
