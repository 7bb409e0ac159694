import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService, type Author } from '../../events/audit/audit.service.js';
import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { requireSignedInOwner, type ShopContext } from '../../domain/principal/auth-context.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { BansService } from '../../orders/bans/bans.service.js';
import { type BuyerOrder } from '../../orders/order/order.types.js';
import { type BuyerExport, type BuyerName, type Erasure, type ErasureRequest } from './buyer.types.js';
import { BuyerSearchService } from './buyer-search.service.js';
import { OrderErasureService } from './order-erasure.service.js';

/** What a shop has stored about one buyer: all of it as a copy, or without the buyer's identity. */
@Injectable()
export class BuyersService {
  constructor(
    private readonly personalData: PersonalDataRegistry,
    private readonly search: BuyerSearchService,
    private readonly bans: BansService,
    private readonly orderErasure: OrderErasureService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Returns everything that is stored about a buyer. The audit log says that it was exported, and not of whom.
   * @throws AppError validation_failed, buyer_ambiguous
   */
  async export(author: Author, name: BuyerName): Promise<BuyerExport> {
    const buyer = await this.search.find(author.shopId, name);
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
   * started to pay are cancelled. With `running: keep`, what is still to run keeps the nickname.
   * @throws AppError validation_failed, buyer_ambiguous, buyer_not_erasable, buyer_items_running
   */
  async erase(author: Author, name: BuyerName, { reason, running }: ErasureRequest): Promise<Erasure> {
    const { shopId } = author;
    const buyer = await this.search.find(shopId, name);
    const { orders, mailbox } = buyer;
    await this.orderErasure.requireErasable(shopId, orders, running, null);
    const spellings = (await this.personalData.each((data) => data.spellings?.(buyer))).flat();
    if (orders.length + spellings.length === 0) return { orders: 0, bans: 0, kept: 0, pseudonym: null };
    const scrubber = this.search.scrubberOf(buyer, spellings);
    const bans = await this.bans.countOf(buyer);
    const erasings = await this.personalData.each((data) => data.eraseBuyer?.(buyer, scrubber));
    const scrubbedReason = scrubber.string('sentence', reason);
    const changes = changesBetween(null, { orders: orders.length, bans, running, reason: scrubbedReason });
    await this.transactions.run(async (transaction) => {
      for (const erase of erasings) await erase(transaction);
      await this.audit.record(author, { action: 'buyer.erased', changes }, transaction);
    });
    const orderIds = inErasureOrder(orders, name).map(({ id }) => id);
    const kept = await this.orderErasure.erase(author, orderIds, scrubber, { reason: scrubbedReason, running });
    const [order] = orders;
    // The orders of a buyer who was erased before have it already.
    const pseudonym = order === undefined ? null : scrubber.string('mailbox', mailbox ?? order.buyerKey);
    return { orders: orders.length, bans, kept, pseudonym };
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
