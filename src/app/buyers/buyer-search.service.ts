import { Injectable } from '@nestjs/common';
import { KeptNamesService } from '../../delivery/deliveries/kept-names.service.js';
import { isPlayerMailbox, nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { isErasedMailbox, isErasedNickname } from '../../domain/buyers/erased-buyer.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { AppError } from '../../domain/errors/app-error.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { BuyerPseudonyms } from '../../infrastructure/buyers/buyer-pseudonyms.service.js';
import { type Buyer, PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { Scrubber } from '../../infrastructure/buyers/scrubber.js';
import { type BuyerOrder } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { type BuyerName } from './buyer.types.js';

/** A buyer, as the orders of the shop and the request name one. */
export interface FoundBuyer extends Buyer {
  /** Those of an erased buyer, too, as long as something is still to run for them with the name. */
  readonly orders: readonly BuyerOrder[];
  readonly emails: readonly string[];
  readonly nicknames: readonly string[];
}

/** Finds what a shop calls a buyer. */
@Injectable()
export class BuyerSearchService {
  constructor(
    private readonly personalData: PersonalDataRegistry,
    private readonly orders: OrdersService,
    private readonly keptNames: KeptNamesService,
    private readonly pseudonyms: BuyerPseudonyms,
  ) {}

  /**
   * A nickname stands for the mailbox that ordered for it.
   * @throws AppError validation_failed, buyer_ambiguous
   */
  async find(shopId: string, { email, nickname }: BuyerName): Promise<FoundBuyer> {
    requireValid((email === undefined) === (nickname === undefined) ? ['Send exactly one of email and nickname'] : []);
    const buyerKey =
      email === undefined ? await this.buyerKeyOfPlayer(shopId, nicknameKeyOf(nickname ?? '')) : mailboxOf(email);
    const orders = buyerKey === null ? [] : await this.ordersOf(shopId, buyerKey);
    orders.push(...(await this.withoutAddress(shopId, orders)));
    const orderIds = orders.map(({ id }) => id);
    const stored = (await this.personalData.each((data) => data.nicknames?.(shopId, orderIds))).flat();
    const typed = (text: string | undefined): string[] => (text === undefined ? [] : [text.trim()]);
    const emails = distinct([...orders.flatMap((order) => order.email ?? []), ...typed(email)]).filter(
      (address) => !isErasedMailbox(address),
    );
    const nicknames = distinct([...stored, ...typed(nickname)]).filter((name) => !isErasedNickname(name));
    const players = nicknames.length === 0 ? [''] : distinct(nicknames.map(nicknameKeyOf));
    const mailbox = buyerKey === null || isErasedMailbox(buyerKey) ? null : buyerKey;
    const others = distinct(orders.map((order) => order.buyerKey)).filter(isPlayerMailbox);
    const keys = [
      ...players.map((nicknameKey) => ({ buyerKey: mailbox ?? '', nicknameKey })),
      ...others.filter((other) => other !== mailbox).map((other) => ({ buyerKey: other, nicknameKey: '' })),
    ];
    return { shopId, mailbox, keys, orders, orderIds, emails, nicknames };
  }

  /** Replaces the names of a buyer. @param spellings of names that no order has */
  scrubberOf({ shopId, keys, emails, nicknames }: Omit<FoundBuyer, 'orders'>, spellings: readonly string[]): Scrubber {
    const [players, mailboxes] = [new Map<string, string>(), new Map<string, string>()];
    for (const key of keys) {
      const { buyerKey, nicknameKey } = this.pseudonyms.of(shopId, key);
      if (key.buyerKey !== '') mailboxes.set(key.buyerKey, buyerKey);
      if (key.nicknameKey !== '') players.set(key.nicknameKey, nicknameKey);
    }
    return new Scrubber({ players, mailboxes, spellings: [...emails, ...nicknames, ...spellings] });
  }

  /** Replaces nicknames of an erased buyer. */
  scrubberOfPlayers(shopId: string, nicknames: readonly string[]): Scrubber {
    const keys = distinct(nicknames.map(nicknameKeyOf)).map((nicknameKey) => ({ buyerKey: '', nicknameKey }));
    return this.scrubberOf({ shopId, mailbox: null, keys, orderIds: [], emails: [], nicknames }, []);
  }

  /** The orders of a mailbox: those that name it, and those that were erased and keep a name. */
  private async ordersOf(shopId: string, buyerKey: string): Promise<BuyerOrder[]> {
    const named = isErasedMailbox(buyerKey) ? [] : await this.orders.ofBuyer(shopId, { buyerKey }, null);
    return [...named, ...(await this.keepingOrders(shopId, this.erasedKeysOf(shopId, buyerKey)))];
  }

  /** What staff have placed without an address for the players of these orders, beside these orders. */
  private async withoutAddress(shopId: string, orders: readonly BuyerOrder[]): Promise<BuyerOrder[]> {
    const known = new Set(orders.map(({ id }) => id));
    const players = distinct(orders.map(({ nicknameKey }) => nicknameKey)).filter((key) => !isErasedNickname(key));
    const found: BuyerOrder[] = [];
    for (const nicknameKey of players) found.push(...(await this.orders.ofBuyer(shopId, { nicknameKey }, null)));
    return found.filter(({ id, buyerKey }) => isPlayerMailbox(buyerKey) && !known.has(id));
  }

  /** The mailbox that ordered for a player, or what stands for it; null: none did. @throws AppError buyer_ambiguous */
  private async buyerKeyOfPlayer(shopId: string, nicknameKey: string): Promise<string | null> {
    const named = isErasedNickname(nicknameKey) ? [] : await this.orders.ofBuyer(shopId, { nicknameKey }, null);
    const erased = distinct(this.pseudonyms.allOf(shopId, { buyerKey: '', nicknameKey }).map((key) => key.nicknameKey));
    const orders = [
      ...named,
      ...(await this.keepingOrders(
        shopId,
        erased.map((key) => ({ nicknameKey: key })),
      )),
    ];
    const found = distinct(orders.map(({ buyerKey }) => buyerKey));
    // Who ordered again after an erasure is one buyer.
    const again = found
      .filter((key) => !isErasedMailbox(key))
      .flatMap((key) => this.erasedKeysOf(shopId, key).map(({ buyerKey }) => buyerKey));
    const current = found.filter((key) => !again.includes(key));
    const mailboxes = current.filter((key) => !isPlayerMailbox(key));
    if (mailboxes.length > 1) throw new AppError('buyer_ambiguous');
    return mailboxes[0] ?? current[0] ?? null;
  }

  /** What stands for a mailbox in erased orders. */
  private erasedKeysOf(shopId: string, buyerKey: string): { readonly buyerKey: string }[] {
    const keys = this.pseudonyms.allOf(shopId, { buyerKey, nicknameKey: '' }).map((key) => key.buyerKey);
    return distinct(keys).map((key) => ({ buyerKey: key }));
  }

  private async keepingOrders(
    shopId: string,
    erased: readonly ({ readonly buyerKey: string } | { readonly nicknameKey: string })[],
  ): Promise<BuyerOrder[]> {
    const orders: BuyerOrder[] = [];
    for (const key of erased) orders.push(...(await this.orders.ofBuyer(shopId, key, null)));
    const ids = orders.map(({ id }) => id);
    const keeping = await this.keptNames.keepingAmong(shopId, ids);
    return orders.filter(({ id }) => keeping.has(id));
  }
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
