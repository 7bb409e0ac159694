import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { changesBetween } from '../audit/audit-rules.js';
import { AuditService } from '../audit/audit.service.js';
import { type AuthContext, isOwnerInPerson, type ShopContext } from '../common/auth/auth-context.js';
import { AppError } from '../common/errors/app-error.js';
import { Page } from '../common/http/page.js';
import { type PageQuery } from '../common/http/page.query.dto.js';
import { Transactions } from '../database/transactions.js';
import { MembershipsService } from '../memberships/memberships.service.js';
import { settingProblems, settingsInWords } from './shop-rules.js';
import { found, stampOf } from './shop-writes.js';
import { type Shop, type ShopSettings } from './shop.types.js';
import { ShopsRepository } from './shops.repository.js';

export interface NewShop extends ShopSettings {
  readonly uniqueName: string;
  readonly currency: string;
}

/** What a request changes; what is absent stays. */
export type ShopChanges = { readonly [Name in keyof ShopSettings]?: ShopSettings[Name] | undefined };

/** For how long it may be told from memory whether a shop is open. */
const OPENNESS_MS = 10_000;
const MAX_REMEMBERED = 1_000;

/** Shops and their settings. */
@Injectable()
export class ShopsService {
  private readonly openness = new LRUCache<string, boolean>({ max: MAX_REMEMBERED, ttl: OPENNESS_MS });

  constructor(
    private readonly shops: ShopsRepository,
    private readonly memberships: MembershipsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Creates a shop whose owner is the caller; neither exists without the other.
   * @throws AppError validation_failed, shop_name_taken
   */
  async create(auth: AuthContext, input: NewShop): Promise<Shop> {
    refuse(settingProblems(input));
    const { uniqueName, displayName, currency, timezone, nicknameRule } = input;
    const { principal } = auth;
    return this.transactions.run(async (transaction) => {
      const shop = await this.shops.insert(
        {
          uniqueName,
          displayName,
          currency,
          timezone,
          nicknameRule: { ...nicknameRule },
          isActive: true,
          domain: null,
          createdAt: new Date(),
          createdBy: principal,
        },
        transaction,
      );
      await this.memberships.add(shop.id, auth.userId, 'owner', transaction);
      const changes = changesBetween(null, { uniqueName, currency, ...settingsInWords(shop) });
      await this.audit.record({ shopId: shop.id, principal }, { action: 'shop.created', changes }, transaction);
      return shop;
    });
  }

  /** The caller's shops. */
  async list(auth: AuthContext, query: PageQuery): Promise<Page<Shop>> {
    const shopIds = await this.memberships.shopIdsOf(auth.userId);
    return Page.of(await this.shops.list(shopIds, query.after, query.limit + 1), query.limit);
  }

  get({ shopId }: ShopContext): Promise<Shop> {
    return this.settingsOf(shopId);
  }

  /**
   * Changes settings. The unique name and the currency are fixed: buyers, records and figures depend on them.
   * @throws AppError validation_failed, also without any change to make
   */
  async update(context: ShopContext, { displayName, timezone, nicknameRule }: ShopChanges): Promise<Shop> {
    const settings: Partial<ShopSettings> = {
      ...(displayName === undefined ? {} : { displayName }),
      ...(timezone === undefined ? {} : { timezone }),
      ...(nicknameRule === undefined ? {} : { nicknameRule: { ...nicknameRule } }),
    };
    if (Object.keys(settings).length === 0) refuse(['Send at least one of displayName, timezone and nicknameRule']);
    refuse(settingProblems(settings));
    const { shopId } = context;
    return this.transactions.run(async (transaction) => {
      const before = found(await this.shops.find(shopId, transaction));
      const changes = changesBetween(settingsInWords(before), settingsInWords(settings));
      if (changes.length === 0) return before;
      const after = found(await this.shops.update(shopId, settings, stampOf(context), transaction));
      await this.audit.record(context, { action: 'shop.updated', changes }, transaction);
      return after;
    });
  }

  /**
   * Closes a shop to the public, or opens it again. It goes on for its team and for what buyers paid.
   * @throws AppError permission_missing for all but an owner in person
   */
  async setActive(context: ShopContext, isActive: boolean): Promise<Shop> {
    if (!isOwnerInPerson(context)) {
      throw new AppError('permission_missing', { message: 'Only an owner in person may close or open a shop' });
    }
    const { shopId } = context;
    const action = isActive ? 'shop.reactivated' : 'shop.deactivated';
    const changed = await this.transactions.run(async (transaction) => {
      const shop = await this.shops.setActive(shopId, isActive, stampOf(context), transaction);
      if (shop !== null) await this.audit.record(context, { action }, transaction);
      return shop;
    });
    this.openness.delete(shopId);
    return changed ?? this.settingsOf(shopId);
  }

  /** Whether there is no shop at all. */
  isEmpty(): Promise<boolean> {
    return this.shops.isEmpty();
  }

  exists(shopId: string): Promise<boolean> {
    return this.shops.exists(shopId);
  }

  /** A shop's settings, whoever asks. @throws AppError shop_not_found */
  async settingsOf(shopId: string): Promise<Shop> {
    return found(await this.shops.find(shopId));
  }

  /**
   * Whether a shop is open to the public, told from memory for up to 10 s: for answers that caches keep as long anyway.
   * This process knows at once what it changed itself.
   */
  async isOpen(shopId: string): Promise<boolean> {
    const known = this.openness.get(shopId);
    if (known !== undefined) return known;
    const isOpen = (await this.shops.find(shopId))?.isActive ?? false;
    this.openness.set(shopId, isOpen);
    return isOpen;
  }

  /** A shop as the public may see it: an inactive one does not exist. @throws AppError shop_not_found */
  async publicSettingsOf(shopId: string): Promise<Shop> {
    const shop = await this.settingsOf(shopId);
    if (!shop.isActive) throw new AppError('shop_not_found');
    return shop;
  }
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new AppError('validation_failed', { message: problems.join('; ') });
}
