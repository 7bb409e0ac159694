import { isPlayerMailbox, nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { isErasedMailbox, isErasedNickname } from '../../domain/buyers/erased-buyer.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { type LedgerEntry } from '../ledger/ledger.types.js';
import { type SaleEvent } from '../ledger/sale-events.js';
import {
  type BuyerKind,
  type BuyerMoney,
  type BuyerProfile,
  type BuyerSums,
  type ProfileFilter,
  type ProfileName,
} from './buyer-profile.types.js';

/** What is added to the sums of a profile. */
export type ProfileChange = ProfileName & BuyerSums;

export const NO_SUMS: BuyerSums = { orders: 0, paidOrders: 0, money: {} };
const NO_MONEY: BuyerMoney = { paidMinor: 0, refundedMinor: 0, chargedBackMinor: 0 };

/** Whom a sale is about. Nobody has the name of an erased buyer, or the mailbox that stands for a player without one. */
export function namesIn({ buyerKey, nicknameKey }: Pick<LedgerEntry, 'buyerKey' | 'nicknameKey'>): ProfileName[] {
  return [
    ...(isErasedNickname(nicknameKey) ? [] : [{ kind: 'player', name: nicknameKey } as const]),
    ...(isErasedMailbox(buyerKey) || isPlayerMailbox(buyerKey) ? [] : [{ kind: 'mailbox', name: buyerKey } as const]),
  ];
}

/** The field of an order, an entry or a ban that has the name. */
export function keysOf({ kind, name }: ProfileName): { nicknameKey: string } | { buyerKey: string } {
  return kind === 'player' ? { nicknameKey: name } : { buyerKey: name };
}

/** What some entries of the ledger add to the profiles of their buyers: one change for each of them, also when it adds nothing. */
export function profileChanges(entries: readonly LedgerEntry[]): ProfileChange[] {
  const changes = new Map<string, ProfileChange>();
  for (const entry of entries) {
    for (const { kind, name } of namesIn(entry)) {
      const id = `${kind} ${name}`;
      const change = changes.get(id) ?? { kind, name, ...NO_SUMS };
      changes.set(id, { kind, name, ...entry.events.reduce((sums, event) => added(sums, entry, event), sums(change)) });
    }
  }
  return [...changes.values()];
}

const sums = ({ orders, paidOrders, money }: BuyerSums): BuyerSums => ({ orders, paidOrders, money });

function added(to: BuyerSums, { currency, totalMinor }: LedgerEntry, event: SaleEvent): BuyerSums {
  const { kind, count, amountMinor } = event;
  const before = to.money[currency] ?? NO_MONEY;
  const withMoney = (change: Partial<BuyerMoney>): BuyerSums => ({
    ...to,
    money: { ...to.money, [currency]: { ...before, ...change } },
  });
  switch (kind) {
    case 'created':
      return { ...to, orders: to.orders + count };
    case 'paid':
      return {
        ...withMoney({ paidMinor: before.paidMinor + count * totalMinor }),
        paidOrders: to.paidOrders + count,
      };
    case 'refund':
      return withMoney({ refundedMinor: before.refundedMinor + count * amountMinor });
    case 'chargeback':
      return withMoney({ chargedBackMinor: before.chargedBackMinor + count * amountMinor });
    case 'converted':
    case 'new_buyer':
      return to;
  }
}

/** Whether a profile says nothing: no order has its name, and nobody wrote about it. */
export function isEmpty({ orders, paidOrders, money, lastOrderAt, note }: Omit<BuyerProfile, 'id'>): boolean {
  const amounts = Object.values(money).flatMap((sum) => Object.values(sum) as number[]);
  return lastOrderAt === null && note === null && [orders, paidOrders, ...amounts].every((sum) => sum === 0);
}

/**
 * What a search finds: the beginning of the nickname of a player, or of the address of a mailbox. A text with an `@` is an address unless
 * the request says what it is.
 */
export function profileFilter(q: string | undefined, kind: BuyerKind | undefined): ProfileFilter {
  const text = q?.trim();
  const wanted = kind ?? (text?.includes('@') === true ? 'mailbox' : 'player');
  return { kind: wanted, prefix: text === undefined ? undefined : prefixOf(text, wanted) };
}

function prefixOf(text: string, kind: BuyerKind): string {
  if (kind === 'player') return nicknameKeyOf(text);
  return text.includes('@') ? mailboxOf(text) : text.toLowerCase().normalize('NFC');
}
