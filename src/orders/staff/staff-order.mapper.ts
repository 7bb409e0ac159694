import { type ReviewReason } from '../../domain/payments/payment-review.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { toMajor } from '../../lib/money/money.js';
import { toDeliveryDto } from '../../delivery/deliveries/delivery.mapper.js';
import {
  type OrderHistoryEntryDto,
  type OrderPaymentDto,
  type OrderWithdrawalDto,
  type ReceivedPaymentDto,
  type ReviewReasonDto,
  type StaffOrderDetailsDto,
  type StaffOrderDto,
} from './dto/staff-order.dto.js';
import { type OrderDetails } from './order-details.service.js';
import { decisivePayment } from '../order/order-rules.js';
import { toOrderDto } from '../order/order.mapper.js';
import {
  type HistoryEntry,
  type OrderSummary,
  type OrderWithPayments,
  type Reversal,
  type Withdrawal,
} from '../order/order.types.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { type ReceivedPayment, receivedPayments } from '../settling/received-payments.js';
import { sumOf } from '../settling/payment-events.js';
import { reviewReasons } from '../settling/review-reasons.js';

/** What the mapper must know of the caller. */
type Reader = Pick<ShopContext, 'readsBuyers'>;

export function toStaffOrderDto(order: OrderSummary, { readsBuyers }: Reader): StaffOrderDto {
  const refundedTotal = sumOfKind(order, 'refund');
  return { ...toOrderDto(order), email: readsBuyers ? order.email : null, refundedTotal };
}

/** What went back to the buyer of the `total` of an order, in major units. */
function sumOfKind({ reversals, currency }: OrderSummary, kind: Reversal['kind']): number {
  return toMajor(sumOf(reversals.filter((reversal) => reversal.kind === kind)), currency);
}

/** An order in a file: also with what became of its money. Payment ids can lead to a buyer. */
export interface ExportedOrder extends Omit<StaffOrderDto, 'refundedTotal'> {
  readonly refunded: number;
  readonly chargedBack: number;
  /** Of the payment that paid it; null without any, and for a reader who cannot read buyers. */
  readonly provider: string | null;
  readonly paymentId: string | null;
}

export function toExportedOrder(order: OrderWithPayments, reader: Reader): ExportedOrder {
  const { payments, paidAt } = order;
  const payment = reader.readsBuyers ? decisivePayment(payments, paidAt) : null;
  const { refundedTotal, ...shown } = toStaffOrderDto(order, reader);
  return {
    ...shown,
    refunded: refundedTotal,
    chargedBack: sumOfKind(order, 'chargeback'),
    provider: payment?.provider ?? null,
    paymentId: payment?.paymentId ?? null,
  };
}

/** Reasons in the history can name a buyer, and payment ids can lead to one. */
export function toStaffOrderDetailsDto(
  { order, deliveries, actorNames }: OrderDetails,
  reader: Reader,
): StaffOrderDetailsDto {
  return {
    ...toStaffOrderDto(order, reader),
    consents: (order.consents ?? []).map((consent) => ({ ...consent, at: consent.at.toISOString() })),
    withdrawal: order.withdrawal === undefined ? null : toWithdrawalDto(order.withdrawal, reader),
    history: reader.readsBuyers ? order.history.map((entry) => toHistoryEntryDto(entry, actorNames)) : null,
    payments: reader.readsBuyers ? order.payments.map(toPaymentDto) : null,
    receivedPayments: reader.readsBuyers ? receivedPayments(order, order.payments).map(toReceivedPaymentDto) : null,
    reviewReasons: reader.readsBuyers ? reviewReasons(order, order.payments).map(toReviewReasonDto) : null,
    deliveries: deliveries.map(toDeliveryDto),
  };
}

function toWithdrawalDto({ at, name, productIds }: Withdrawal, { readsBuyers }: Reader): OrderWithdrawalDto {
  return { requestedAt: at.toISOString(), items: [...productIds], name: readsBuyers ? name : null };
}

function toHistoryEntryDto(
  { at, actor, action, detail }: HistoryEntry,
  names: ReadonlyMap<string, string>,
): OrderHistoryEntryDto {
  return { at: at.toISOString(), actor, actorName: names.get(actor) ?? null, action, detail };
}

function toPaymentDto(event: PaymentEvent): OrderPaymentDto {
  const { provider, eventId, type, paymentId, disputeId = null, amountMinor, currency, occurredAt } = event;
  const amount = toMajor(amountMinor, currency);
  return { provider, eventId, type, paymentId, disputeId, amount, currency, occurredAt: occurredAt.toISOString() };
}

function toReceivedPaymentDto(payment: ReceivedPayment): ReceivedPaymentDto {
  const { provider, paymentId, currency, isDisputed, receivedAt } = payment;
  return {
    provider,
    paymentId,
    receivedAt: receivedAt.toISOString(),
    amount: toMajor(payment.amountMinor, currency),
    currency,
    refunded: toMajor(payment.refundedMinor, currency),
    chargedBack: toMajor(payment.chargedBackMinor, currency),
    disputed: isDisputed,
    surplus: toMajor(payment.surplusMinor, currency),
  };
}

export function toReviewReasonDto({ code, message, amountMinor, currency }: ReviewReason): ReviewReasonDto {
  return { code, message, amount: toMajor(amountMinor, currency), currency };
}
