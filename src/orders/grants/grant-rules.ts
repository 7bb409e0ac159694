import { type CatalogueSnapshot } from '../../catalogue/snapshot/catalogue-snapshot.js';
import { NO_TERMS } from '../../catalogue/products/selling-terms.js';
import { buyerKeysOf } from '../../domain/buyers/buyer-keys.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { amountProblems, type MinorUnits } from '../../lib/money/money.js';
import { type Creation } from '../../infrastructure/idempotency/creation.js';
import { splitAmount } from '../../lib/money/split-amount.js';
import { type CheckedBasket, type OrderLine } from '../checkout/basket-checks.js';
import { accessTokenOf } from '../order/order-rules.js';
import { type StaffOrigin, type UnnumberedOrder } from '../order/order.types.js';
import { OUTSIDE_PROVIDER, type PaymentEvent } from '../order/payment-event.types.js';

/** What staff request for a player. */
export interface GrantRequest {
  readonly items: readonly OrderLine[];
  readonly serverId: string;
  readonly nickname: string;
  readonly email?: string | undefined;
  readonly kind: StaffOrigin;
  /** Major units. */
  readonly amount?: number | undefined;
  readonly reason: string;
}

/** Why the amount of a request cannot be that of an order. */
export function problemsOfAmount({ kind, amount }: Pick<GrantRequest, 'kind' | 'amount'>, currency: string): string[] {
  if (amount === undefined) return [];
  if (kind !== 'paid_outside') return [`amount is only for paid_outside: nobody pays for a ${kind}`];
  if (amount === 0) return ['amount must be more than 0; what is given away is a grant'];
  return amountProblems({ amount }, currency);
}

/**
 * What staff can order: also what is not active, at any time, and more of it than a buyer. Only these products, because a shop can have thousands.
 */
export function staffCatalogue(snapshot: CatalogueSnapshot, lines: readonly OrderLine[]): CatalogueSnapshot {
  const found = lines.flatMap(({ productId }) => snapshot.products.get(productId) ?? []);
  const free = { ...NO_TERMS, isActive: true, maxPerOrder: null };
  const products = found.map((product) => [product.id, { ...product, ...free }] as const);
  return { ...snapshot, products: new Map(products) };
}

/** Who places an order, when, and what identifies it. */
interface Placement {
  readonly creation: Creation;
  readonly principal: string;
  readonly currency: string;
  readonly createdAt: Date;
  /** What was paid outside. */
  readonly paidMinor: MinorUnits;
}

/** The order of a request. It is complete at once: nobody pays for it later. */
export function orderOf(
  request: GrantRequest,
  { items, subtotalMinor }: Pick<CheckedBasket, 'items' | 'subtotalMinor'>,
  { creation, principal, currency, createdAt, paidMinor }: Placement,
): UnnumberedOrder {
  const { id } = creation;
  const { kind, serverId, nickname, email = null, reason } = request;
  const isPaid = kind === 'paid_outside';
  const totalMinor = isPaid ? paidMinor : 0;
  const parts = splitAmount(
    totalMinor,
    items.map((item) => item.totalMinor),
  );
  return {
    id,
    origin: kind,
    serverId,
    nickname,
    email,
    ...buyerKeysOf({ email, nickname }),
    status: 'completed',
    paymentStatus: 'paid',
    deliveryStatus: 'queued',
    items: items.map((item, position) => ({
      ...item,
      netMinor: parts[position] ?? 0,
      takesStock: item.takesStock && kind !== 'rehearsal',
    })),
    itemCount: items.reduce((sum, { quantity }) => sum + quantity, 0),
    subtotalMinor,
    discount: null,
    totalMinor,
    currency,
    createdAt,
    paidAt: isPaid ? createdAt : null,
    expiresAt: createdAt,
    isFirstPurchase: null,
    payments: isPaid ? [outsidePayment(id, paidMinor, currency, createdAt)] : [],
    reversals: [],
    review: null,
    history: [{ at: createdAt, actor: principal, action: 'created', detail: `${kind}: ${reason}` }],
    accessTokenHash: sha256(accessTokenOf(creation)),
  };
}

/** The report of a payment that staff have received. */
function outsidePayment(orderId: string, amountMinor: MinorUnits, currency: string, occurredAt: Date): PaymentEvent {
  const ids = { provider: OUTSIDE_PROVIDER, eventId: orderId, paymentId: orderId };
  return { ...ids, type: 'payment.succeeded', amountMinor, currency, occurredAt, cumulative: false };
}
