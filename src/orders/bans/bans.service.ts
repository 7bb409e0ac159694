import { Injectable } from '@nestjs/common';
import { lockOn } from '../../domain/limits/lock-names.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { requireReadsBuyers, type ShopContext } from '../../domain/principal/auth-context.js';
import { type Buyer } from '../../infrastructure/buyers/personal-data.js';
import { BuyerPseudonyms } from '../../infrastructure/buyers/buyer-pseudonyms.service.js';
import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { orInvalid } from '../../domain/errors/or-invalid.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { banKeysOf, mailboxKey, playerKey, readBan } from './ban-rules.js';
import { type Ban, type BanFilter, type NewBan } from './ban.types.js';
import { BansRepository } from './bans.repository.js';

/** What the audit log shows of a ban. */
const shown = ({ nickname, email, reason, until }: Ban): Pick<Ban, 'nickname' | 'email' | 'reason' | 'until'> => ({
  nickname,
  email,
  reason,
  until,
});

/** The buyers whose checkouts a shop rejects. */
@Injectable()
export class BansService {
  constructor(
    private readonly bans: BansRepository,
    private readonly shops: ShopsService,
    private readonly quotas: QuotasService,
    private readonly audit: AuditService,
    private readonly pseudonyms: BuyerPseudonyms,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Bans a player or a mailbox. A ban of the same one that has ended is replaced.
   * @throws AppError validation_failed, already_banned, quota_reached
   */
  async create(context: ShopContext, input: NewBan): Promise<Ban> {
    const { shopId, principal } = context;
    const createdAt = new Date();
    const sent = await this.shops.withInstants(shopId, input);
    const { key } = orInvalid(readBan(sent, createdAt));
    const { nickname = null, email = null, reason, until = null } = sent;
    const values = { nickname, email, key, reason, until, createdAt, createdBy: principal };
    const work = async (transaction: Transaction): Promise<Ban> => {
      await this.bans.deleteEnded(shopId, key, createdAt, transaction);
      const count = (upTo: number): Promise<number> => this.bans.countAll(shopId, upTo, transaction);
      await this.quotas.requireRoom('bansPerShop', shopId, count, transaction);
      const created = await this.bans.insert(shopId, values, transaction);
      const changes = changesBetween(null, shown(created));
      await this.audit.record(context, { action: 'ban.created', subjectId: created.id, changes }, transaction);
      return created;
    };
    return this.transactions.run(work, { oneAtATime: lockOn('bansPerShop', shopId) });
  }

  /** @throws AppError permission_missing when a plugin key searches by an email address */
  async list(context: ShopContext, filter: BanFilter, page: PageRequest): Promise<Page<Ban>> {
    if (filter.email !== undefined) requireReadsBuyers(context, 'the email address of a buyer');
    return this.bans.list(context.shopId, filter, context.readsBuyers, page, new Date());
  }

  /**
   * Ends a ban.
   * @returns the ban as it was
   * @throws AppError ban_not_found
   */
  delete(context: ShopContext, banId: string): Promise<Ban> {
    return this.transactions.run(async (transaction) => {
      const deleted = orNotFound(await this.bans.delete(context.shopId, banId, transaction), 'ban_not_found');
      const changes = changesBetween(shown(deleted), null);
      await this.audit.record(context, { action: 'ban.deleted', subjectId: banId, changes }, transaction);
      return deleted;
    });
  }

  /**
   * A ban of a buyer that counts at this time, or null. One read by an index.
   * @param transaction of the checkout; null for a quote, which stores nothing
   */
  banOf(shopId: string, buyer: BuyerKeys, now: Date, transaction: Transaction | null): Promise<Ban | null> {
    return this.bans.findOf(shopId, this.keysOf(shopId, buyer), now, transaction);
  }

  /** Those of some buyers who have no ban that counts at this time, in the same order. One read by an index. */
  async withoutBanned<Keys extends BuyerKeys>(shopId: string, buyers: readonly Keys[], now: Date): Promise<Keys[]> {
    if (buyers.length === 0) return [];
    const keyed = buyers.map((buyer) => ({ buyer, keys: this.keysOf(shopId, buyer) }));
    const banned = await this.bans.bannedKeys(
      shopId,
      keyed.flatMap(({ keys }) => keys),
      now,
    );
    return keyed.filter(({ keys }) => !keys.some((key) => banned.has(key))).map(({ buyer }) => buyer);
  }

  /** The bans of some players and mailboxes, also those that have ended. One read by an index. */
  ofNames(
    shopId: string,
    names: readonly (Pick<BuyerKeys, 'nicknameKey'> | Pick<BuyerKeys, 'buyerKey'>)[],
  ): Promise<Ban[]> {
    const keyOf = (name: (typeof names)[number]): string =>
      'nicknameKey' in name ? playerKey(name.nicknameKey) : mailboxKey(name.buyerKey);
    return this.bans.withKeys(shopId, names.map(keyOf));
  }

  /** Counts the bans of a buyer, also those that have ended. */
  countOf(buyer: Buyer): Promise<number> {
    return this.bans.countOf(buyer);
  }

  /** A ban of a buyer whom the shop has erased has the keyed hash, and still counts. */
  private keysOf(shopId: string, buyer: BuyerKeys): string[] {
    return [buyer, ...this.pseudonyms.allOf(shopId, buyer)].flatMap(banKeysOf);
  }
}
