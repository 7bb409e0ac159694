import { followsRule, type NicknameRule } from '../common/validation/nickname-rule.js';
import { fitsCommands } from '../deliveries/delivery-rules.js';
import { type Product } from '../products/product.types.js';
import { canMove } from '../common/states/transitions.js';
import { DELIVERY_TRANSITIONS } from './order-transitions.js';
import { type DeliveryStatus, type OrderItem, type PaymentStatus } from './order.types.js';

export interface OrderLine {
  readonly productId: string;
  readonly quantity: number;
}

/** Who buys, for limits and statistics: the address, without case. */
export function buyerKeyOf(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * The positions of an order at today's prices, or the id of the first product that cannot be sold there.
 * @param products the shop's products by id
 */
export function priceLines(
  lines: readonly OrderLine[],
  products: ReadonlyMap<string, Product>,
  serverId: string,
): { readonly items: readonly OrderItem[] } | { readonly unavailable: string } {
  const items: OrderItem[] = [];
  for (const { productId, quantity } of lines) {
    const product = products.get(productId);
    const sold = product?.isActive === true && (product.serverIds.length === 0 || product.serverIds.includes(serverId));
    if (!sold) return { unavailable: productId };
    const { name, priceMinor, commands } = product;
    items.push({ productId, name, quantity, unitPriceMinor: priceMinor, totalMinor: priceMinor * quantity, commands });
  }
  return { items };
}

const DELIVERABLE: ReadonlySet<PaymentStatus> = new Set(['paid', 'partially_refunded']);

/**
 * What becomes of the goods when the payment is in a state: queued while the money is ours, held back (`revoked`) when it
 * went back or is in doubt. What a plugin has already taken stays as it is.
 */
export function deliveryAfter(
  current: DeliveryStatus,
  payment: { readonly paymentStatus: PaymentStatus; readonly paidAt: Date | null },
): DeliveryStatus {
  if (payment.paidAt === null || current === 'leased' || current === 'delivered' || current === 'failed')
    return current;
  const target: DeliveryStatus = DELIVERABLE.has(payment.paymentStatus) ? 'queued' : 'revoked';
  return canMove(DELIVERY_TRANSITIONS, current, target) ? target : current;
}

/** The largest subtotal of an order in minor units: statistics over millions of them stay within the safe integers. */
export const MAX_ORDER_MINOR = 100_000_000_000;

/** Whether a nickname follows the shop's rule and can stand in the commands of what is ordered. */
export function isNicknameAllowed(nickname: string, rule: NicknameRule, items: readonly OrderItem[]): boolean {
  return followsRule(nickname, rule) && items.every(({ commands }) => fitsCommands(nickname, commands));
}
