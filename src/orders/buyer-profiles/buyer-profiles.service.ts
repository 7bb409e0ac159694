import { Injectable } from '@nestjs/common';
import { buyerKeysOf } from '../../domain/buyers/buyer-keys.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { requireReadsBuyers, type ShopContext } from '../../domain/principal/auth-context.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { BuyerPseudonyms } from '../../infrastructure/buyers/buyer-pseudonyms.service.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { BansService } from '../bans/bans.service.js';
import { BuyerOrdersRepository, type NamesOfOrder } from './buyer-orders.repository.js';
import {
  type BuyerKind,
  type BuyerProfile,
  type LinkedName,
  type ListedProfile,
  type ProfileDetails,
} from './buyer-profile.types.js';
import { BuyerProfilesRepository } from './buyer-profiles.repository.js';
import { keysOf, namesIn, profileFilter } from './profile-rules.js';

/** What staff read of the buyers of a shop, and write about them. A plugin key knows players only. */
@Injectable()
export class BuyerProfilesService {
  constructor(
    private readonly profiles: BuyerProfilesRepository,
    private readonly orders: BuyerOrdersRepository,
    private readonly bans: BansService,
    private readonly pseudonyms: BuyerPseudonyms,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError permission_missing when a plugin key lists mailboxes */
  async list(
    context: ShopContext,
    { q, kind }: { readonly q?: string | undefined; readonly kind?: BuyerKind | undefined },
    page: PageRequest,
  ): Promise<Page<ListedProfile>> {
    const { shopId } = context;
    const filter = profileFilter(q, kind);
    if (filter.kind === 'mailbox') requireReadsBuyers(context, 'the email address of a buyer');
    const found = await this.profiles.list(shopId, filter, page);
    const buyers = found.items.map((profile) => ({ ...namesOf(profile), id: profile.id }));
    const allowed = await this.bans.withoutBanned(shopId, buyers, new Date());
    const ids = new Set(allowed.map(({ id }) => id));
    return found.map((profile) => ({ profile, isBanned: !ids.has(profile.id) }));
  }

  /** @throws AppError buyer_not_found */
  async get(context: ShopContext, key: string): Promise<ProfileDetails> {
    const { shopId, readsBuyers } = context;
    const found = await this.profiles.find(shopId, key, null);
    const profile = orNotFound(readsBuyers || found?.kind === 'player' ? found : null, 'buyer_not_found');
    const links = readsBuyers ? this.linksOf(profile, await this.orders.latestNames(shopId, profile)) : [];
    const [bans, disputes] = await Promise.all([
      this.bans.ofNames(shopId, [profile, ...links].map(keysOf)),
      this.orders.disputed(shopId, profile),
    ]);
    return { profile, links, bans, disputes };
  }

  /**
   * Writes the note about a buyer, or removes it. The audit log does not repeat it: an erasure could not find everything in it.
   * @throws AppError buyer_not_found
   */
  async setNote(context: ShopContext, key: string, text: string | null): Promise<ProfileDetails> {
    const { shopId, principal } = context;
    await this.transactions.run(async (transaction) => {
      const before = orNotFound(await this.profiles.find(shopId, key, transaction), 'buyer_not_found');
      const note = text === null ? null : { text, at: new Date(), by: principal };
      await this.profiles.setNote(shopId, key, note, transaction);
      const changes = changesBetween({ hasNote: before.note !== null }, { hasNote: note !== null });
      await this.audit.record(context, { action: 'buyer.note_changed', subjectId: key, changes }, transaction);
    });
    return this.get(context, key);
  }

  /** The mailboxes of a player, or the players of a mailbox, those of the latest orders first. */
  private linksOf({ shopId, kind: own }: BuyerProfile, orders: readonly NamesOfOrder[]): LinkedName[] {
    const links = new Map<string, LinkedName>();
    for (const { nickname, email, ...keys } of orders) {
      for (const { kind, name } of namesIn(keys)) {
        const shown = kind === 'player' ? nickname : email;
        if (kind === own || shown === null || links.has(name)) continue;
        links.set(name, { kind, name, shown, key: this.pseudonyms.addressOf(shopId, kind, name) });
      }
    }
    return [...links.values()];
  }
}

/** The names by which a profile may be banned: its own, and the other one of its latest order. An unknown one is empty. */
function namesOf({ kind, name, nickname, email }: BuyerProfile): { buyerKey: string; nicknameKey: string } {
  const { buyerKey, nicknameKey } = buyerKeysOf({ email, nickname: nickname ?? '' });
  return kind === 'player' ? { buyerKey, nicknameKey: name } : { buyerKey: name, nicknameKey };
}
