import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type IANAZone } from 'luxon';
import { lockOn } from '../../domain/limits/lock-names.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { type AuthContext, requireSignedInOwner, type ShopContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orInvalid } from '../../domain/errors/or-invalid.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type ExpectedVersions, requireVersion } from '../../domain/errors/require-version.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { newObjectId } from '../../lib/ids/object-id.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { readZone } from '../../lib/time/local-time.js';
import { requireChange } from '../../domain/errors/change.js';
import { hasCalendarDay, type WithInstants, withInstants } from '../../lib/time/instant.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { consentSettingProblems } from '../consents/consent-rules.js';
import { type ConsentText, type ConsentVersion } from '../consents/consent.types.js';
import { ConsentsService } from '../consents/consents.service.js';
import { ImagesService } from '../images/images.service.js';
import { MembershipsService } from '../memberships/memberships.service.js';
import {
  completed,
  consentSettingsOf,
  imagesOf,
  merged,
  type NewShop,
  settingsInWords,
  type ShopChange,
  shopVersion,
  toInput,
  toStored,
} from './shop-input.js';
import { settingProblems } from './shop-rules.js';
import { type OwnShop, type PriceRule, type Shop, stampOf, type WholeShop } from './shop.types.js';
import { ComparedProducts } from './compared-products.js';
import { ShopsRepository } from './shops.repository.js';

/** For how long a process remembers whether a shop is open. */
const OPENNESS_MS = 10 * SECOND_MS;
const MAX_REMEMBERED = 1_000;

/** Shops and their settings. */
@Injectable()
export class ShopsService {
  private readonly openness = new LRUCache<string, boolean>({ max: MAX_REMEMBERED, ttl: OPENNESS_MS });

  constructor(
    private readonly shops: ShopsRepository,
    private readonly memberships: MembershipsService,
    private readonly consents: ConsentsService,
    private readonly audit: AuditService,
    private readonly images: ImagesService,
    private readonly compared: ComparedProducts,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Creates a shop whose owner is the caller; neither exists without the other.
   * @throws AppError validation_failed, shop_name_taken, quota_reached
   */
  async create(auth: AuthContext, input: NewShop): Promise<WholeShop> {
    requireValid(settingProblems(input));
    const { uniqueName, currency, isActive = true, ...given } = input;
    const settings = completed(given);
    const required = consentSettingsOf(settings);
    requireValid(consentSettingProblems(required));
    const { principal } = auth;
    const work = async (transaction: Transaction): Promise<WholeShop> => {
      const id = newObjectId();
      const shop = await this.shops.insert(
        id,
        {
          uniqueName,
          currency,
          ...toStored(settings, currency),
          consents: await this.consents.publish(id, required, transaction),
          isActive,
          domain: null,
          createdAt: new Date(),
          createdBy: principal,
        },
        transaction,
      );
      await this.images.use(shop.id, imagesOf(settings), transaction);
      await this.memberships.add(shop.id, auth.userId, 'owner', transaction);
      const changes = changesBetween(null, { uniqueName, currency, ...settingsInWords(settings) });
      await this.audit.record({ shopId: shop.id, principal }, { action: 'shop.created', changes }, transaction);
      return shop;
    };
    return this.transactions.run(work, { oneAtATime: lockOn('shopsPerPerson', auth.userId) });
  }

  /** The caller's shops with the role of the caller in each, newest first. */
  async list(auth: AuthContext, page: PageRequest): Promise<Page<OwnShop>> {
    const members = await this.memberships.listOf(auth.userId, null);
    const roles = new Map(members.map(({ shopId, role }) => [shopId, role]));
    const shops = await this.shops.list([...roles.keys()], page);
    const own = shops.items.flatMap((shop) => {
      const role = roles.get(shop.id);
      return role === undefined ? [] : [{ ...shop, role }];
    });
    return shops.with(own).counted(roles.size);
  }

  /** @throws AppError shop_not_found */
  get({ shopId }: ShopContext): Promise<WholeShop> {
    return this.getWhole(shopId, null);
  }

  /** A shop with its legal pages. @throws AppError shop_not_found */
  async getWhole(shopId: string, transaction: Transaction | null): Promise<WholeShop> {
    return orNotFound(await this.shops.findWhole(shopId, transaction), 'shop_not_found');
  }

  /** A shop as a transaction sees it. @throws AppError shop_not_found */
  async getIn(shopId: string, transaction: Transaction): Promise<Shop> {
    return orNotFound(await this.shops.find(shopId, transaction), 'shop_not_found');
  }

  /**
   * Changes settings. The unique name and the currency cannot change: buyers, orders and statistics depend on them.
   * @throws AppError validation_failed, also when the request changes nothing; shop_not_found, version_mismatch, compare_at_not_allowed
   */
  async update(context: ShopContext, change: ShopChange, expected: ExpectedVersions = null): Promise<WholeShop> {
    requireChange(change);
    const { monthlyGoal, ...others } = change;
    requireValid(settingProblems(others));
    const { shopId } = context;
    return this.transactions.run(async (transaction) => {
      const before = await this.getWhole(shopId, transaction);
      requireVersion(expected, shopVersion(before));
      const { currency } = before;
      requireValid(settingProblems({ currency, monthlyGoal }));
      const settings = merged(toInput(before), change);
      const changes = changesBetween(settingsInWords(toInput(before)), settingsInWords(settings));
      if (changes.length === 0) return before;
      if (settings.priceRule !== before.priceRule) await this.requirePriceRule(shopId, settings.priceRule, transaction);
      const required = consentSettingsOf(settings);
      requireValid(consentSettingProblems(required));
      const consents = await this.consents.publish(shopId, required, transaction);
      const hasNewImages = !isDeepStrictEqual(imagesOf(settings), imagesOf(before));
      await this.images.use(shopId, hasNewImages ? imagesOf(settings) : [], transaction);
      const stored = { ...toStored(settings, currency), consents };
      const updated = await this.shops.update(shopId, stored, stampOf(context), transaction);
      const after = orNotFound(updated, 'shop_not_found');
      await this.audit.record(context, { action: 'shop.updated', changes }, transaction);
      return after;
    });
  }

  /**
   * Checks the products before another price rule holds. A product that gets a compare-at price at the same moment writes the revision of the
   * same record (`raiseCatalogueRevision`), so one of the two transactions runs again.
   */
  private async requirePriceRule(shopId: string, priceRule: PriceRule, transaction: Transaction): Promise<void> {
    const compared = priceRule === 'none' ? [] : await this.compared.namesOf(shopId, transaction);
    if (compared.length === 0) return;
    const message = `priceRule ${priceRule} allows no compareAtPrice: remove that of ${compared.join(', ')}`;
    throw new AppError('compare_at_not_allowed', { message });
  }

  /**
   * Closes a shop to the public, or opens it again. Its team and the deliveries of paid orders are not affected.
   * @throws AppError permission_missing for everybody except an owner with a bearer token; version_mismatch
   */
  async setActive(context: ShopContext, isActive: boolean, expected: ExpectedVersions = null): Promise<Shop> {
    requireSignedInOwner(context, 'deactivate or reactivate a shop');
    const { shopId } = context;
    const action = isActive ? 'shop.reactivated' : 'shop.deactivated';
    const changed = await this.transactions.run(async (transaction) => {
      if (expected !== null) requireVersion(expected, shopVersion(await this.getWhole(shopId, transaction)));
      const shop = await this.shops.setActive(shopId, isActive, stampOf(context), transaction);
      if (shop !== null) await this.audit.record(context, { action }, transaction);
      return shop;
    });
    this.openness.delete(shopId);
    return changed ?? this.settingsOf(shopId);
  }

  /**
   * Gives what a shop sells a new revision. It is a new id, not a counter: after a restore, a counter would repeat a number that a
   * running process knows with other contents.
   */
  raiseCatalogueRevision(shopId: string, transaction: Transaction): Promise<void> {
    return this.shops.setCatalogueRevision(shopId, newObjectId(), transaction);
  }

  /**
   * The revision of what an open shop sells, as a transaction sees it.
   * @throws AppError shop_not_found, also for a closed shop
   */
  async openRevisionIn(shopId: string, transaction: Transaction): Promise<string | null> {
    const selling = await this.shops.findSelling(shopId, transaction);
    if (!selling?.isActive) throw new AppError('shop_not_found');
    return selling.catalogueRevision;
  }

  /** A batch of all shops in the order of their ids, for the operator. @param id the last one of the batch before */
  listAfter(id: string | null, limit: number): Promise<Shop[]> {
    return this.shops.listAfter(id, limit);
  }

  /** Whether the database has no shop. */
  isEmpty(): Promise<boolean> {
    return this.shops.isEmpty();
  }

  exists(shopId: string): Promise<boolean> {
    return this.shops.exists(shopId);
  }

  /** A shop's settings, for other features. @throws AppError shop_not_found */
  async settingsOf(shopId: string): Promise<Shop> {
    return orNotFound(await this.shops.find(shopId, null), 'shop_not_found');
  }

  /** The currency of a shop (ISO 4217). @throws AppError shop_not_found */
  async currencyOf(shopId: string): Promise<string> {
    return (await this.settingsOf(shopId)).currency;
  }

  /** Values with the calendar days among them as instants of the shop's time zone. @throws AppError shop_not_found */
  async withInstants<Values extends object>(shopId: string, values: Values): Promise<WithInstants<Values>> {
    if (!hasCalendarDay(values)) return values as WithInstants<Values>;
    return withInstants(values, await this.zoneOf(shopId));
  }

  /** The time zone of a shop. @throws AppError shop_not_found */
  async zoneOf(shopId: string): Promise<IANAZone> {
    const { timezone } = await this.settingsOf(shopId);
    return orInvalid(readZone(timezone));
  }

  /**
   * Whether a shop is open to the public. The result may be 10 s old, for responses that caches keep as long anyway. A change
   * by this process is visible at once.
   */
  async isOpen(shopId: string): Promise<boolean> {
    const known = this.openness.get(shopId);
    if (known !== undefined) return known;
    const isOpen = (await this.shops.find(shopId, null))?.isActive ?? false;
    this.openness.set(shopId, isOpen);
    return isOpen;
  }

  /** What buyers agreed to in some versions. @throws AppError consent_not_found */
  consentTextsOf(
    shopId: string,
    versions: readonly ConsentVersion[],
    transaction: Transaction,
  ): Promise<readonly ConsentText[]> {
    return this.consents.textsOf(shopId, versions, transaction);
  }

  /** A shop's settings for the public. @throws AppError shop_not_found, also for a closed shop */
  async publicSettingsOf(shopId: string): Promise<Shop> {
    const shop = await this.settingsOf(shopId);
    if (!shop.isActive) throw new AppError('shop_not_found');
    return shop;
  }
}
