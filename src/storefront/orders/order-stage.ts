import { type Order } from '../../orders/order/order.types.js';
import { isPayable } from '../../orders/order/payability.js';
import { type LineProgress } from '../../payments/buyer-orders/line-rules.js';
import { type ICONS } from '../../shops/look/icons.js';
import { type Language } from '../../lib/formats/languages.js';
import { ORDER_STAGE_COPY } from './order-stage-copy.js';

/** How far an order has come, as the first sentence of its page says it. */
export const ORDER_STAGES = [
  ...(['unpaid', 'declined', 'bank', 'review', 'ended', 'returned'] as const),
  ...(['thanks', 'join', 'waiting', 'arriving', 'delivered', 'sent', 'checked', 'held', 'failed'] as const),
] as const;
export type OrderStage = (typeof ORDER_STAGES)[number];

type StagedOrder = Pick<Order, 'status' | 'paymentStatus' | 'deliveryStatus' | 'expiresAt'>;

const OF_UNPAID: Partial<Record<Order['paymentStatus'], OrderStage>> = {
  processing: 'bank',
  authorized: 'review',
  needs_review: 'review',
  refunded: 'returned',
  charged_back: 'returned',
};
const OF_DELIVERY: Readonly<Record<Order['deliveryStatus'], OrderStage>> = {
  none: 'thanks',
  queued: 'waiting',
  leased: 'arriving',
  delivered: 'delivered',
  handed_over: 'sent',
  uncertain: 'checked',
  held: 'held',
  failed: 'failed',
  revoked: 'returned',
};

/** @param lines the progress of its items */
export function stageOf(order: StagedOrder, lines: readonly Pick<LineProgress, 'reason'>[], now: Date): OrderStage {
  const { status, paymentStatus, deliveryStatus } = order;
  if (status === 'cancelled' || status === 'expired') return OF_UNPAID[paymentStatus] ?? 'ended';
  const unpaid = OF_UNPAID[paymentStatus];
  if (unpaid !== undefined) return unpaid;
  if (paymentStatus === 'pending' || paymentStatus === 'failed') {
    if (!isPayable(order, now)) return 'ended';
    return paymentStatus === 'failed' ? 'declined' : 'unpaid';
  }
  const needsPlayer = deliveryStatus === 'queued' && lines.some(({ reason }) => reason === 'player_needed');
  return needsPlayer ? 'join' : OF_DELIVERY[deliveryStatus];
}

/** The stages that end without anything that the buyer does here: their pages look for news. */
const FOLLOWED: readonly OrderStage[] = ['bank', 'review', 'join', 'waiting', 'arriving'];

export const isFollowed = (stage: OrderStage): boolean => FOLLOWED.includes(stage);

type Icon = keyof typeof ICONS;

const STAGE_ICONS: Readonly<Record<OrderStage, Icon>> = {
  ...{ unpaid: 'clock', declined: 'warning', bank: 'clock', review: 'clock', ended: 'minus', returned: 'minus' },
  ...{ thanks: 'check', join: 'bolt', waiting: 'clock', arriving: 'bolt', delivered: 'check', held: 'clock' },
  ...{ sent: 'check', checked: 'clock' },
  failed: 'warning',
};

/** The first sentence of the page. @param text says what happens now */
export function stageView(stage: OrderStage, nickname: string, text: string, language: Language) {
  const title = ORDER_STAGE_COPY[language][stage];
  return { title: typeof title === 'string' ? title : title(nickname), text, icon: STAGE_ICONS[stage] };
}

/** One step of the way of an order: done, what happens now, what is to come, or what failed. */
export interface OrderStep {
  readonly id: string;
  readonly state: 'done' | 'now' | 'todo' | 'fail';
  readonly icon: Icon;
  readonly text: string;
  readonly amount: string;
}

const ICON_OF: Readonly<Record<OrderStep['state'], Icon>> = {
  done: 'check',
  now: 'clock',
  todo: 'gift',
  fail: 'warning',
};

const step = (id: string, state: OrderStep['state'], text: string, amount = ''): OrderStep => {
  return { id, state, text, amount, icon: ICON_OF[state] };
};

const PAYMENT_STEPS: Readonly<Record<OrderStage, OrderStep['state']>> = {
  ...{ unpaid: 'now', declined: 'fail', bank: 'now', review: 'now', ended: 'fail', returned: 'done' },
  ...{
    thanks: 'done',
    join: 'done',
    waiting: 'done',
    arriving: 'done',
    delivered: 'done',
    sent: 'done',
    checked: 'done',
    held: 'done',
    failed: 'done',
  },
};
const DELIVERY_STEPS: Readonly<Record<OrderStage, OrderStep['state']>> = {
  ...{ unpaid: 'todo', declined: 'todo', bank: 'todo', review: 'todo', ended: 'todo', returned: 'todo' },
  ...{ thanks: 'done', join: 'now', waiting: 'now', arriving: 'now', delivered: 'done', held: 'now', failed: 'fail' },
  ...{ sent: 'done', checked: 'now' },
};

/** The steps after the order was placed. @param refunds in their sequence */
export function stepsOf(
  stage: OrderStage,
  texts: { readonly payment: string; readonly delivery: string },
  refunds: readonly { readonly text: string; readonly amount: string }[],
): OrderStep[] {
  return [
    step('payment', PAYMENT_STEPS[stage], texts.payment),
    step('delivery', DELIVERY_STEPS[stage], texts.delivery),
    ...refunds.map(({ text, amount }) => step('', 'done', text, amount)),
  ];
}
