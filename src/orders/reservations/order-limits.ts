import { type LimitHolder, type OpenWindow } from '../../catalogue/products/purchase-limits.js';
import { type OrderProblem } from '../order/order-problem.js';

/** How many units of a product of an order somebody can have. */
export interface UnitLimit {
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
