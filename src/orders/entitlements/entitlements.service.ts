import { Injectable } from '@nestjs/common';
import { type Delivery, type DeliveryState } from '../../delivery/deliveries/delivery.types.js';
import { type ItemDeliveries, itemsOf } from '../../delivery/deliveries/follow-ups.js';
import { FollowUpsService } from '../../delivery/deliveries/follow-ups.service.js';
import { type NewShopEvent } from '../../events/shop-events/shop-event.types.js';
import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { isErasedNickname } from '../../domain/buyers/erased-buyer.js';
import { BuyerPseudonyms } from '../../infrastructure/buyers/buyer-pseudonyms.service.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { coversOf, endsOf, type LinkedItem, raisedOf, type Standing, standingsOf } from './chain-rules.js';
import { EntitlementsRepository } from './entitlements.repository.js';
import { type EntitlementChange, entitlementEvents, type EntitlementEventType } from './entitlement-events.js';
import { isChained, isHad, isInUpgrade, newEntitlement, playerOf, withFacts } from './entitlement-rules.js';
import { type Entitlement, type EntitlingOrder } from './entitlement.types.js';

/** An entitlement with the deliveries of its item. */
interface Held extends LinkedItem<Entitlement> {
  /** As it is stored; null: it is new. */
  readonly before: Entitlement | null;
}

type Chain = readonly Held[];

/** What follows from a change of orders. */
export interface Followed {
  readonly states: ReadonlyMap<string, DeliveryState>;
  readonly events: readonly NewShopEvent<EntitlementEventType>[];
}

/** The chains of some entitlements, and the deliveries of other orders in them. */
interface Found {
  readonly chains: readonly Chain[];
  readonly others: readonly Delivery[];
}

const asStored = (link: Entitlement): Held => ({ link, before: link, item: undefined });

/**
 * What players own because of paid orders. The records follow from orders and deliveries: each transaction that changes one of the two calls
 * `follow`, which also stores what is missing. Their states have no table of transitions, because they are computed (`standingsOf`).
 */
@Injectable()
export class EntitlementsService {
  constructor(
    private readonly entitlements: EntitlementsRepository,
    private readonly followUps: FollowUpsService,
    private readonly quotas: QuotasService,
    private readonly pseudonyms: BuyerPseudonyms,
  ) {}

  /**
   * Stores what these orders give their players now, and queues what follows from it, also for other purchases of the same players.
   * @param orders as the transaction has changed them
   * @returns the delivery status of each of these orders and of the others, if it has deliveries; and the events of what began or ended
   */
  async follow(shopId: string, orders: readonly EntitlingOrder[], transaction: Transaction): Promise<Followed> {
    const now = new Date();
    const orderIds = orders.map(({ id }) => id);
    const deliveries = await this.followUps.deliveriesOf(shopId, orderIds, transaction);
    const stored = await this.entitlements.ofOrders(shopId, orderIds, transaction);
    const own = heldOf(shopId, orders, itemsOf(deliveries), stored, now);
    const { chains, others } = await this.familiesOf(shopId, own, now, transaction);
    const [covers, raised] = [coversOf(chains), raisedOf(chains)];
    const standings = new Map(chains.flatMap((chain) => [...standingsOf(chain, now, covers, raised)]));
    const held = chains.flat();
    const changes = held.flatMap((one) => changeOf(one, standings.get(one.link.id)));
    await this.entitlements.save(changes, now, transaction);
    const terms = new Map(held.map(({ link }) => [nameOf(link), standings.get(link.id)?.terms]));
    const termsOf = (purchase: Delivery) => terms.get(nameOf(purchase)) ?? null;
    const states = await this.followUps.queue(shopId, [...deliveries, ...others], termsOf, transaction);
    return { states, events: entitlementEvents(changes) };
  }

  /**
   * Ends what a player has, for good; `follow` takes it back in the same transaction.
   * @returns as it was @throws AppError entitlement_not_found, entitlement_not_active
   */
  async endByStaff(shopId: string, id: string, transaction: Transaction): Promise<Entitlement> {
    const now = new Date();
    const before = orNotFound(await this.entitlements.find(shopId, id, transaction), 'entitlement_not_found');
    if (!isHad(before, now)) throw new AppError('entitlement_not_active');
    await this.entitlements.endByStaff(shopId, id, now, transaction);
    return before;
  }

  /**
   * Transfers what a player has to another one; `follow` of the orders that it returns does the rest in the same transaction.
   * @param runsCommands whether it is taken back from the player and given to the other one; false: it is renamed in the game
   * @returns it as it was, and the orders whose items follow from it
   * @throws AppError entitlement_not_found, entitlement_not_active also while its deliveries are on their way, nickname_unchanged, already_owned
   */
  async transfer(
    shopId: string,
    id: string,
    nickname: string,
    runsCommands: boolean,
    transaction: Transaction,
  ): Promise<{ readonly before: Entitlement; readonly orderIds: readonly string[] }> {
    const now = new Date();
    const before = orNotFound(await this.entitlements.find(shopId, id, transaction), 'entitlement_not_found');
    const { orderId, position, nicknameKey, countsAs } = before;
    const to = nicknameKeyOf(nickname);
    if (to === nicknameKey) throw new AppError('nickname_unchanged');
    const isActive = isHad(before, now) && before.state === 'active' && !isErasedNickname(before.nickname);
    // Otherwise what one player has paid for a tier would give a tier to another one.
    if (!isActive || isInUpgrade(before)) throw new AppError('entitlement_not_active');
    const found = await this.entitlements.ofPlayers(shopId, [nicknameKey, to], [countsAs], transaction);
    const others = found.filter((one) => one.id !== id && one.serverId === before.serverId && isChained(one));
    const isWithin = (key: string): boolean => others.some((one) => one.nicknameKey === key && isHad(one, now));
    if (before.repeat === 'refuse' && isWithin(to)) throw new AppError('already_owned');
    const isCovered = isChained(before) && isWithin(nicknameKey);
    const giving = isCovered ? 'giving' : 'both';
    const deliveries = await this.followUps.deliveriesOf(shopId, [orderId], transaction);
    const item = itemsOf(deliveries).find(({ purchase }) => purchase.position === position);
    const isMoved =
      item !== undefined &&
      (await this.followUps.transfer(item, nickname, runsCommands ? giving : 'nothing', transaction));
    if (!isMoved) throw new AppError('entitlement_not_active');
    const ofPlayer = others.filter((one) => one.nicknameKey === nicknameKey).map((one) => one.orderId);
    return { before, orderIds: distinct([orderId, ...ofPlayer]) };
  }

  /** Claims what is over, in all shops: no other process gets it before `until`. */
  claimOver(until: Date, limit: number, transaction: Transaction): Promise<Entitlement[]> {
    return this.entitlements.claimOver(new Date(), until, limit, transaction);
  }

  /**
   * As `chainsOf`, also with what these purchases have replaced, and by what they were replaced: what becomes of one tier decides about the
   * others. Without an upgrade, nothing more is read.
   */
  private async familiesOf(shopId: string, own: readonly Held[], now: Date, transaction: Transaction): Promise<Found> {
    const found = await this.chainsOf(shopId, own, now, transaction);
    const held = found.chains.flat();
    const upgraded = held.filter(({ link }) => isInUpgrade(link));
    if (upgraded.length === 0) return found;
    const players = distinct(upgraded.map(({ link, item }) => playerOf(link, item?.purchase)));
    const keys = [...this.playersByKey(shopId, players).keys()];
    const known = new Set(held.map(({ link }) => link.id));
    const family = await this.entitlements.inUpgrades(shopId, keys, transaction);
    const others = family.filter(({ id }) => !known.has(id)).map(asStored);
    if (others.length === 0) return found;
    return this.chainsOf(shopId, [...own, ...others], now, transaction);
  }

  /**
   * The chains of entitlements, and the deliveries of other orders in them. Transactions about the same player run one after the other: none
   * of them reads half of what another one writes.
   */
  private async chainsOf(shopId: string, own: readonly Held[], now: Date, transaction: Transaction): Promise<Found> {
    const [alone, chained] = [own.filter(({ link }) => !isChained(link)), own.filter(({ link }) => isChained(link))];
    const chains: Chain[] = alone.map((one) => [one]);
    if (chained.length === 0) return this.withDeliveries(shopId, chains, now, transaction);
    const players = distinct(chained.map(({ link, item }) => playerOf(link, item?.purchase)));
    const playerByKey = this.playersByKey(shopId, players);
    // By the hashes alone, which name nobody: what follows for an erased player is written after the erasure.
    await this.quotas.claimPlayers(shopId, [...playerByKey.keys()].filter(isErasedNickname), transaction);
    const products = distinct(chained.map(({ link }) => link.countsAs));
    const found = await this.entitlements.ofPlayers(shopId, [...playerByKey.keys()], products, transaction);
    const known = new Set(own.map(({ link }) => link.id));
    const others = found.filter((link) => isChained(link) && !known.has(link.id)).map(asStored);
    const byChain = new Map<string, Held[]>();
    for (const one of [...chained, ...others]) {
      const { nicknameKey, countsAs, serverId } = one.link;
      const name = [playerByKey.get(nicknameKey) ?? nicknameKey, countsAs, serverId].join(' ');
      byChain.set(name, [...(byChain.get(name) ?? []), one]);
    }
    chains.push(...[...byChain.values()].filter((chain) => chain.some((one) => chained.includes(one))));
    return this.withDeliveries(shopId, chains, now, transaction);
  }

  /** What stands for these players in the records: their keys, and those that an erasure wrote. */
  private playersByKey(shopId: string, players: readonly string[]): ReadonlyMap<string, string> {
    const keys = new Map(players.map((player) => [player, player]));
    for (const player of players.filter((key) => !isErasedNickname(key))) {
      const erased = this.pseudonyms.allOf(shopId, { buyerKey: '', nicknameKey: player });
      for (const { nicknameKey } of erased) keys.set(nicknameKey, player);
    }
    return keys;
  }

  /** Reads the deliveries of what is still to run for other orders of these chains. */
  private async withDeliveries(
    shopId: string,
    chains: readonly Chain[],
    now: Date,
    transaction: Transaction,
  ): Promise<Found> {
    const open = chains.flatMap((chain) => {
      const ends = endsOf(chain.map(({ link }) => link));
      return chain.filter(({ item, link }) => item === undefined && !isLongOver(link, ends.get(link.id), now));
    });
    const orderIds = distinct(open.map(({ link }) => link.orderId));
    if (orderIds.length === 0) return { chains, others: [] };
    const others = await this.followUps.deliveriesOf(shopId, orderIds, transaction);
    const items = new Map(itemsOf(others).map((item) => [nameOf(item.purchase), item]));
    const withItem = (one: Held): Held => ({ ...one, item: one.item ?? items.get(nameOf(one.link)) });
    return { chains: chains.map((chain) => chain.map(withItem)), others };
  }
}

const nameOf = ({ orderId, position }: Pick<Delivery, 'orderId' | 'position'>): string => `${orderId} ${position}`;

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];

/** The entitlements of orders as they are now. What is not stored yet begins. */
function heldOf(
  shopId: string,
  orders: readonly EntitlingOrder[],
  items: readonly ItemDeliveries[],
  stored: readonly Entitlement[],
  now: Date,
): Held[] {
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const storedOf = new Map(stored.map((entitlement) => [nameOf(entitlement), entitlement]));
  return items.flatMap((item) => {
    const { purchase } = item;
    const order = orderOf.get(purchase.orderId);
    if (order === undefined) return [];
    const before = storedOf.get(nameOf(purchase)) ?? null;
    const first = before ?? newEntitlement(shopId, order, purchase.position, now);
    return first === null ? [] : [{ link: withFacts(first, order, purchase, now), before, item }];
  });
}

/** Whether an entitlement of another order ended with its time, so that nothing is still to run for it. */
function isLongOver({ state, endedBy, endsAt }: Entitlement, end: Date | null | undefined, now: Date): boolean {
  return state === 'ended' && endedBy === 'expired' && end?.getTime() === endsAt?.getTime() && (end ?? now) <= now;
}

function changeOf({ link, before }: Held, standing: Standing | undefined): EntitlementChange[] {
  if (standing === undefined) return [];
  const { endsAt, state, endedBy, isCovered } = standing;
  const isRunning = state === 'active' || state === 'held';
  return [{ before, isCovered, after: { ...link, endsAt, state, endedBy, endDueAt: isRunning ? endsAt : null } }];
}
