import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService, type Author } from '../../events/audit/audit.service.js';
import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { AppError } from '../../domain/errors/app-error.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { requireSignedInOwner, type ShopContext } from '../../domain/principal/auth-context.js';
import { BuyerPseudonyms } from '../../infrastructure/buyers/buyer-pseudonyms.service.js';
import { type Buyer, PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { Scrubber } from '../../infrastructure/buyers/scrubber.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { BansService } from '../../orders/bans/bans.service.js';
import { type BuyerOrder } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { type BuyerExport, type BuyerName, type Erasure } from './buyer.types.js';
import { OrderErasureService } from './order-erasure.service.js';

/** A buyer, as the orders of the shop and the request name one. */
interface FoundBuyer extends Buyer {
  readonly orders: readonly BuyerOrder[];
  readonly emails: readonly string[];
  readonly nicknames: readonly string[];
}

/** What a shop has stored about one buyer: all of it as a copy, or without the buyer's identity. */
@Injectable()
export class BuyersService {
  constructor(
    private readonly personalData: PersonalDataRegistry,
    private readonly orders: OrdersService,
    private readonly bans: BansService,
    private readonly pseudonyms: BuyerPseudonyms,
    private readonly orderErasure: OrderErasureService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Returns everything that is stored about a buyer. The audit log says that it was exported, and not of whom.
   * @throws AppError validation_failed, buyer_ambiguous
   */
  async export(author: Author, name: BuyerName): Promise<BuyerExport> {
    const buyer = await this.find(author.shopId, name);
    const records: Record<string, readonly object[]> = {};
    for (const data of this.personalData.all) {
      const read = await data.read?.(buyer);
      if (read !== undefined) records[data.collection] = read;
    }
    const changes = changesBetween(null, { orders: buyer.orders.length });
    await this.transactions.run((transaction) =>
      this.audit.record(author, { action: 'buyer.exported', changes }, transaction),
    );
    return { emails: buyer.emails, nicknames: buyer.nicknames, records };
  }

  /**
   * Replaces the identity of a buyer by keyed hashes, wherever the shop has it. Amounts, items and times stay. It can be repeated: after
   * a crash it goes on with what is left, because the orders, which name the buyer, are the last to change. Open orders that nobody has
   * started to pay are cancelled.
   * @throws AppError validation_failed, buyer_ambiguous, buyer_not_erasable
   */
  async erase(author: Author, name: BuyerName, reason: string): Promise<Erasure> {
    const { shopId } = author;
    const buyer = await this.find(shopId, name);
    const { orders, mailbox } = buyer;
    await this.orderErasure.requireErasable(shopId, orders, null);
    const spellings = (await this.personalData.each((data) => data.spellings?.(buyer))).flat();
    if (orders.length + spellings.length === 0) return { orders: 0, bans: 0, pseudonym: null };
    const scrubber = this.scrubberOf(buyer, spellings);
    const bans = await this.bans.countOf(buyer);
    const erasings = await this.personalData.each((data) => data.eraseBuyer?.(buyer, scrubber));
    const scrubbedReason = scrubber.string('sentence', reason);
    const changes = changesBetween(null, { orders: orders.length, bans, reason: scrubbedReason });
    await this.transactions.run(async (transaction) => {
      for (const erase of erasings) await erase(transaction);
      await this.audit.record(author, { action: 'buyer.erased', changes }, transaction);
    });
    const orderIds = inErasureOrder(orders, name).map(({ id }) => id);
    await this.orderErasure.erase(author, orderIds, scrubber, scrubbedReason);
    const pseudonym = mailbox === null || orders.length === 0 ? null : scrubber.string('mailbox', mailbox);
    return { orders: orders.length, bans, pseudonym };
  }

  /** A nickname stands for the mailbox that ordered for it. */
  private async find(shopId: string, { email, nickname }: BuyerName): Promise<FoundBuyer> {
    requireValid((email === undefined) === (nickname === undefined) ? ['Send exactly one of email and nickname'] : []);
    const mailbox =
      email === undefined ? await this.mailboxOfPlayer(shopId, nicknameKeyOf(nickname ?? '')) : mailboxOf(email);
    const orders = mailbox === null ? [] : await this.orders.ofBuyer(shopId, { buyerKey: mailbox }, null);
    const orderIds = orders.map(({ id }) => id);
    const stored = (await this.personalData.each((data) => data.nicknames?.(shopId, orderIds))).flat();
    const emails = distinct([...orders.map((order) => order.email), ...(email === undefined ? [] : [email.trim()])]);
    const nicknames = distinct([...stored, ...(nickname === undefined ? [] : [nickname.trim()])]);
    const players = nicknames.length === 0 ? [''] : distinct(nicknames.map(nicknameKeyOf));
    const keys = players.map((nicknameKey) => ({ buyerKey: mailbox ?? '', nicknameKey }));
    return { shopId, mailbox, keys, orders, orderIds, emails, nicknames };
  }

  private async mailboxOfPlayer(shopId: string, nicknameKey: string): Promise<string | null> {
    const orders = await this.orders.ofBuyer(shopId, { nicknameKey }, null);
    const mailboxes = distinct(orders.map(({ buyerKey }) => buyerKey));
    if (mailboxes.length > 1) throw new AppError('buyer_ambiguous');
    return mailboxes[0] ?? null;
  }

  /** @param spellings of names that no order has */
  private scrubberOf({ shopId, keys, emails, nicknames }: FoundBuyer, spellings: readonly string[]): Scrubber {
    const [players, mailboxes] = [new Map<string, string>(), new Map<string, string>()];
    for (const key of keys) {
      const { buyerKey, nicknameKey } = this.pseudonyms.of(shopId, key);
      if (key.buyerKey !== '') mailboxes.set(key.buyerKey, buyerKey);
      if (key.nicknameKey !== '') players.set(key.nicknameKey, nicknameKey);
    }
    return new Scrubber({ players, mailboxes, spellings: [...emails, ...nicknames, ...spellings] });
  }
}

/** @throws AppError permission_missing for everybody except an owner with a bearer token */
export function requireOwner(context: ShopContext): Author {
  requireSignedInOwner(context, 'export or erase a buyer');
  return context;
}

/** The orders that the name finds come last: as long as one of them is left, an erasure that was ended can be repeated with this name. */
function inErasureOrder(orders: readonly BuyerOrder[], { nickname }: BuyerName): readonly BuyerOrder[] {
  if (nickname === undefined) return orders;
  const isFoundBy = ({ nicknameKey }: BuyerOrder): boolean => nicknameKey === nicknameKeyOf(nickname);
  return [...orders.filter((order) => !isFoundBy(order)), ...orders.filter(isFoundBy)];
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
