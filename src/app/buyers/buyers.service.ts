import { Injectable } from '@nestjs/common';
import { RollupsService } from '../../analytics/stats/rollups/rollups.service.js';
import { SalesService } from '../../analytics/stats/rollups/sales.service.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService, type Author } from '../../events/audit/audit.service.js';
import { type Email } from '../../events/mail/email.types.js';
import { EMAIL_TOPIC } from '../../events/mail/emails.service.js';
import { OutboxRewriteService } from '../../events/outbox/outbox-rewrite.service.js';
import { type BuyerKeys, nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { requireSignedInOwner, type ShopContext } from '../../domain/principal/auth-context.js';
import { BuyerPseudonyms } from '../../infrastructure/buyers/buyer-pseudonyms.service.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { AppError } from '../../domain/errors/app-error.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { locksOnBuyer } from '../../infrastructure/quotas/quotas.service.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { banKeysOf } from '../../orders/bans/ban-rules.js';
import { type Ban } from '../../orders/bans/ban.types.js';
import { type Buyer, type BuyerExport, type BuyerName, type Erasure, type OrderState } from './buyer.types.js';
import { type StoredAuditEntry, BuyerRecordsRepository } from './buyer-records.repository.js';
import { bannedIn, erasureProblem } from './erasure-rules.js';
import { type BuyerNames, Scrubber } from './scrub.js';

/** How many orders are erased in one transaction. */
const BATCH = 10;

/** What a shop has stored about one buyer: all of it as a copy, or without the buyer's identity. */
@Injectable()
export class BuyersService {
  constructor(
    private readonly records: BuyerRecordsRepository,
    private readonly messages: OutboxRewriteService,
    private readonly sales: SalesService,
    private readonly rollups: RollupsService,
    private readonly pseudonyms: BuyerPseudonyms,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Returns everything that is stored about a buyer. The audit log says that it was exported, and not of whom.
   * @throws AppError validation_failed, buyer_ambiguous
   */
  async export(author: Author, name: BuyerName): Promise<BuyerExport> {
    const { shopId } = author;
    const buyer = await this.find(shopId, name);
    const { emails, nicknames, orders, recordIds, mailbox } = buyer;
    const ofOrders = await this.records.read(shopId, recordIds);
    const banEntries = await this.banEntries(buyer);
    const records = {
      ...Object.fromEntries(ofOrders),
      audit_log: [...(ofOrders.get('audit_log') ?? []), ...banEntries],
      bans: await this.records.bans(shopId, this.banKeys(buyer)),
      stats_buyer_sums: mailbox === null ? [] : await this.sales.sumsOfBuyer(shopId, mailbox),
    };
    const changes = changesBetween(null, { orders: orders.length });
    await this.transactions.run((transaction) =>
      this.audit.record(author, { action: 'buyer.exported', changes }, transaction),
    );
    return { emails, nicknames, records };
  }

  /**
   * Replaces the identity of a buyer by keyed hashes, wherever the shop has it. Amounts, items and times stay. It can be repeated: after
   * a crash it goes on with what is left.
   * @throws AppError validation_failed, buyer_ambiguous, buyer_not_erasable
   */
  async erase(author: Author, name: BuyerName, reason: string): Promise<Erasure> {
    const { shopId } = author;
    const buyer = await this.find(shopId, name);
    const { orders, mailbox } = buyer;
    requireErasable(orders);
    const bans = await this.records.bans(shopId, this.banKeys(buyer));
    const banEntries = await this.banEntries(buyer);
    if (orders.length + bans.length + banEntries.length === 0) return { orders: 0, bans: 0, pseudonym: null };
    const names = this.namesOf(buyer, [...bans, ...banEntries.map(({ changes }) => bannedIn(changes))]);
    const scrubber = new Scrubber(names);
    const pseudonym = mailbox === null || orders.length === 0 ? null : (names.mailboxes.get(mailbox) ?? null);
    await this.transactions.run(async (transaction) => {
      await this.eraseBuyer(buyer, scrubber, transaction);
      await this.records.rewriteBans(shopId, bans, banEntries, scrubber, transaction);
      const changes = changesBetween(null, {
        orders: orders.length,
        bans: bans.length,
        reason: scrubber.sentence(reason),
      });
      await this.audit.record(author, { action: 'buyer.erased', changes }, transaction);
    });
    const orderIds = inErasureOrder(orders, name).map(({ id }) => id);
    for (let start = 0; start < orderIds.length; start += BATCH) {
      await this.eraseOrders(shopId, orderIds.slice(start, start + BATCH), scrubber);
    }
    return { orders: orders.length, bans: bans.length, pseudonym };
  }

  /** What the buyer has apart from orders. */
  private async eraseBuyer(buyer: Buyer, scrubber: Scrubber, transaction: Transaction): Promise<void> {
    const { shopId, mailbox } = buyer;
    const withoutBuyer = (topic: string, payload: unknown): unknown =>
      topic === EMAIL_TOPIC && mailboxOf((payload as Email).to) === mailbox ? null : scrubber.record(payload);
    await this.messages.rewrite(shopId, withoutBuyer, transaction);
    await this.records.deleteClaims(
      keysOf(buyer).flatMap((keys) => locksOnBuyer(shopId, keys)),
      transaction,
    );
    if (mailbox === null) return;
    const { buyerKey } = this.pseudonyms.of(shopId, { buyerKey: mailbox, nicknameKey: '' });
    await this.rollups.renameBuyer(shopId, mailbox, buyerKey, transaction);
  }

  private async eraseOrders(shopId: string, orderIds: readonly string[], scrubber: Scrubber): Promise<void> {
    const ids = await this.records.recordsOf(shopId, orderIds);
    await this.transactions.run(async (transaction) => {
      requireErasable(await this.records.orderStates(shopId, orderIds, transaction));
      await this.records.rewrite(shopId, ids, scrubber, transaction);
    });
  }

  /** A nickname stands for the mailbox that ordered for it. */
  private async find(shopId: string, { email, nickname }: BuyerName): Promise<Buyer> {
    requireValid((email === undefined) === (nickname === undefined) ? ['Send exactly one of email and nickname'] : []);
    const mailbox =
      email === undefined ? await this.mailboxOfPlayer(shopId, nicknameKeyOf(nickname ?? '')) : mailboxOf(email);
    const orders = mailbox === null ? [] : await this.records.orders(shopId, { buyerKey: mailbox });
    const recordIds = await this.records.recordsOf(
      shopId,
      orders.map(({ id }) => id),
    );
    const stored = await this.records.nicknames(shopId, recordIds);
    return {
      ...{ shopId, mailbox, orders, recordIds },
      emails: distinct([...orders.map((order) => order.email), ...(email === undefined ? [] : [email.trim()])]),
      nicknames: distinct([...stored, ...(nickname === undefined ? [] : [nickname.trim()])]),
    };
  }

  private async mailboxOfPlayer(shopId: string, nicknameKey: string): Promise<string | null> {
    const mailboxes = distinct((await this.records.orders(shopId, { nicknameKey })).map(({ buyerKey }) => buyerKey));
    if (mailboxes.length > 1) throw new AppError('buyer_ambiguous');
    return mailboxes[0] ?? null;
  }

  private banKeys(buyer: Buyer): string[] {
    return distinct(keysOf(buyer).flatMap(banKeysOf));
  }

  private banEntries(buyer: Buyer): Promise<StoredAuditEntry[]> {
    const players = new Set(buyer.nicknames.map(nicknameKeyOf));
    return this.records.banEntries(buyer.shopId, ({ nickname, email }) =>
      nickname === undefined
        ? email !== undefined && mailboxOf(email) === buyer.mailbox
        : players.has(nicknameKeyOf(nickname)),
    );
  }

  /** @param bans whom they name: in spellings that no order has */
  private namesOf(buyer: Buyer, bans: readonly (BuyerName | Pick<Ban, 'nickname' | 'email'>)[]): BuyerNames {
    const banned = bans.flatMap(({ nickname, email }) => [nickname, email]).filter((name) => typeof name === 'string');
    const [players, mailboxes] = [new Map<string, string>(), new Map<string, string>()];
    for (const keys of keysOf(buyer)) {
      const { buyerKey, nicknameKey } = this.pseudonyms.of(buyer.shopId, keys);
      if (keys.buyerKey !== '') mailboxes.set(keys.buyerKey, buyerKey);
      if (keys.nicknameKey !== '') players.set(keys.nicknameKey, nicknameKey);
    }
    return { players, mailboxes, spellings: [...buyer.emails, ...buyer.nicknames, ...banned] };
  }
}

/** @throws AppError permission_missing for everybody except an owner with a bearer token */
export function requireOwner(context: ShopContext): Author {
  requireSignedInOwner(context, 'export or erase a buyer');
  return context;
}

/** @throws AppError buyer_not_erasable while the identity is still needed for one of the orders */
function requireErasable(orders: readonly OrderState[]): void {
  const message = erasureProblem(orders);
  if (message !== null) throw new AppError('buyer_not_erasable', { message });
}

/** The keys of the buyer, one for each player. An unknown one is empty: nothing has an empty key. */
function keysOf({ mailbox, nicknames }: Buyer): BuyerKeys[] {
  const players = nicknames.length === 0 ? [''] : distinct(nicknames.map(nicknameKeyOf));
  return players.map((nicknameKey) => ({ buyerKey: mailbox ?? '', nicknameKey }));
}

/** The orders that the name finds come last: as long as one of them is left, an erasure that was ended can be repeated with this name. */
function inErasureOrder(orders: readonly OrderState[], { nickname }: BuyerName): readonly OrderState[] {
  if (nickname === undefined) return orders;
  const isFoundBy = ({ nicknameKey }: OrderState): boolean => nicknameKey === nicknameKeyOf(nickname);
  return [...orders.filter((order) => !isFoundBy(order)), ...orders.filter(isFoundBy)];
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
