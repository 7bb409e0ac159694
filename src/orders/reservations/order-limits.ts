import { type LimitHolder, type OpenWindow } from '../../catalogue/products/purchase-limits.js';
import { type Requirement } from '../../catalogue/products/product-requirements.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type OrderItem } from '../order/order.types.js';

/** What decides whether somebody can have a product of an order. */
export type OrderLimit = UnitLimit | OwnershipLimit;

/** How many units of a product of an order somebody can have. */
export interface UnitLimit {
  readonly kind: 'units';
  readonly productId: string;
  readonly name: string;
  /** How many units the order has. */
  readonly quantity: number;
  readonly of: LimitHolder;
  readonly max: number;
  readonly window: OpenWindow;
  /** The window after a number of units, such as ` in 7 days`. */
  readonly inWords: string;
}

/** What a player must own, and must not own, to get a product. All heads are products as which others count. */
export interface OwnershipLimit {
  readonly kind: 'ownership';
  readonly productId: string;
  readonly name: string;
  readonly quantity: number;
  /** As which it counts itself. */
  readonly countsAs: string;
  /** Whether who has it on one game server has it on all. */
  readonly ownedEverywhere: boolean;
  /** Whether its player can have it once. */
  readonly isOnce: boolean;
  /** null: nothing is required. `heads` has, for each product that is required, all that are as good: itself, and the higher tiers of its group. */
  readonly requires: (Requirement & { readonly heads: readonly (readonly string[])[] }) | null;
  readonly excludedBy: readonly string[];
}

/** Something that a player owns, waits for, or has an open order for. */
export interface OwnedItem {
  readonly countsAs: string;
  /** null: everywhere. */
  readonly serverId: string | null;
  /** Whether it is not paid. */
  readonly isOpen: boolean;
}

/** Units of a product in an earlier order. */
export interface HeldUnits {
  readonly productId: string;
  readonly quantity: number;
  readonly orderedAt: Date;
  /** Whether the order is not paid. */
  readonly isOpen: boolean;
  readonly isSameMailbox: boolean;
  readonly isSamePlayer: boolean;
}

/** Everybody can type a nickname, so an unpaid order counts only for its own mailbox. Otherwise strangers could lock a player out. */
const countsFor = (of: LimitHolder, { isOpen, isSameMailbox, isSamePlayer }: HeldUnits): boolean => {
  if (of === 'shop') return true;
  if (isOpen && !isSameMailbox) return false;
  return of === 'player' ? isSamePlayer : isSameMailbox || isSamePlayer;
};

/** The first moment that counts for any of these limits. */
export function earliestOf(limits: readonly UnitLimit[]): Date {
  return new Date(Math.min(...limits.map(({ window }) => window.from?.getTime() ?? 0)));
}

/** When enough of these units no longer count. @param counted the oldest first */
function freeAtOf(counted: readonly HeldUnits[], used: number, { quantity, max, window }: UnitLimit): Date | null {
  if (quantity > max) return null;
  let left = used;
  for (const units of counted) {
    left -= units.quantity;
    if (left + quantity <= max) return window.freeAt(units.orderedAt);
  }
  return null;
}

/** Why an order cannot have its units of a product, after those that count already. */
export function unitProblems(limit: UnitLimit, held: readonly HeldUnits[]): OrderProblem[] {
  const { productId, name, quantity, of, max, window, inWords } = limit;
  const counted = held
    .filter((units) => units.productId === productId && countsFor(of, units))
    .filter(({ orderedAt }) => window.from === null || orderedAt >= window.from)
    .sort((one, other) => one.orderedAt.getTime() - other.orderedAt.getTime());
  const used = counted.reduce((sum, units) => sum + units.quantity, 0);
  if (used + quantity <= max) return [];
  const message =
    of === 'shop'
      ? `The shop sells at most ${max} of ${name}${inWords}, and ${used} are taken`
      : `One ${of} may have at most ${max} of ${name}${inWords}, and this one has ${used}`;
  const limited = { of, max, used, freeAt: freeAtOf(counted, used, limit) };
  return [{ code: 'product_limit_reached', message, productId, limit: limited }];
}

/** Of whom a limit asks what the player owns. */
export const excludedHeads = ({ isOnce, countsAs, excludedBy }: OwnershipLimit): readonly string[] =>
  isOnce ? [...excludedBy, countsAs] : excludedBy;

/** An order whose player must own some things, and must not own others. */
interface OwningOrder {
  readonly items: readonly Pick<OrderItem, 'productId' | 'countsAs'>[];
  /** null: not known yet. */
  readonly serverId: string | null;
}

/**
 * Why the player of an order cannot have its products, after what the player owns and what the order has. Neither names what it is: anybody
 * can request this for any player.
 * @param owned null: the player is not known, so only the order itself is looked at
 */
export function ownershipProblems(
  limits: readonly OwnershipLimit[],
  { items, serverId }: OwningOrder,
  owned: readonly OwnedItem[] | null,
): OrderProblem[] {
  const here = (owned ?? []).filter((one) => one.serverId === null || one.serverId === serverId);
  const isUnknown = owned === null || serverId === null;
  const unmet = isUnknown ? [] : unmetOf(limits, items, here);
  return limits.flatMap((limit) => {
    const { productId, name, requires } = limit;
    const at = items.findIndex((item) => item.productId === productId);
    const others = items.filter((item, index) => {
      return item.productId !== productId && excludesAt(limit, item.countsAs, index < at);
    });
    const reachable = limit.ownedEverywhere ? (owned ?? []) : here;
    const problems: OrderProblem[] = [];
    if (limit.isOnce && limit.quantity > 1) {
      problems.push({ code: 'quantity_not_allowed', message: `One player can have ${name} once`, productId });
    }
    if (others.length > 0) {
      const message = `${name} and another product of the order exclude each other: order one of them`;
      problems.push({ code: 'already_owned', message, productId });
    } else if (reachable.some(({ countsAs }) => excludedHeads(limit).includes(countsAs))) {
      problems.push({ code: 'already_owned', message: ownedMessage(limit), productId });
    }
    if (requires !== null && unmet.includes(limit)) {
      const message = `${name} requires other products, which the player does not own and the order does not have`;
      const requirement = { mode: requires.mode, productIds: requires.productIds };
      problems.push({ code: 'requirement_not_met', message, productId, requirement });
    }
    return problems;
  });
}

/** Of two items that count as the same one and are there once, the second one is too many. */
function excludesAt({ isOnce, countsAs, excludedBy }: OwnershipLimit, other: string, isBefore: boolean): boolean {
  return excludedBy.includes(other) || (isOnce && isBefore && other === countsAs);
}

const ownedMessage = ({ name, excludedBy }: OwnershipLimit): string =>
  excludedBy.length === 0 ? `The player owns ${name} already` : `The player owns ${name} already, or what excludes it`;

/** The limits whose requirement is not met. What cannot be ordered itself meets none: two products cannot stand for each other. */
function unmetOf(
  limits: readonly OwnershipLimit[],
  items: OwningOrder['items'],
  owned: readonly OwnedItem[],
): readonly OwnershipLimit[] {
  const paid = owned.filter(({ isOpen }) => !isOpen).map(({ countsAs }) => countsAs);
  let unmet = limits.filter(({ requires }) => requires !== null);
  for (;;) {
    const waiting = new Set(unmet.map(({ productId }) => productId));
    const ordered = items.filter(({ productId }) => !waiting.has(productId)).map(({ countsAs }) => countsAs);
    const has = new Set([...paid, ...ordered]);
    const left = unmet.filter(({ requires }) => !isMet(requires, has));
    if (left.length === unmet.length) return left;
    unmet = left;
  }
}

function isMet(requires: OwnershipLimit['requires'], has: ReadonlySet<string>): boolean {
  if (requires === null) return true;
  const isThere = (heads: readonly string[]): boolean => heads.some((head) => has.has(head));
  return requires.mode === 'all' ? requires.heads.every(isThere) : requires.heads.some(isThere);
}
