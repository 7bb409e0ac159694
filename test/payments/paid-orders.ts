import { expect } from '@jest/globals';
import { type Db } from 'mongodb';
import { type TestOrder } from '../support/actors.js';
import { type Client } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';
import { idOf } from '../support/records.js';
import { sendStripe, type TestWebhook } from './senders.js';
import { type StripeApi } from './stripe-api.js';

export interface OrderState {
  readonly status: string;
  readonly paymentStatus: string;
  readonly deliveryStatus: string;
}

/** The order as the public API returns it. */
export async function stateOf(api: Client, { id, accessToken }: TestOrder): Promise<OrderState> {
  const call = { headers: { 'X-Order-Token': accessToken } };
  const { status, paymentStatus, deliveryStatus } = expectSuccess<OrderState>(
    await api.get(`/orders/public/${id}`, call),
  );
  return { status, paymentStatus, deliveryStatus };
}

export const OPEN: OrderState = { status: 'open', paymentStatus: 'pending', deliveryStatus: 'none' };
export const PAID: OrderState = { status: 'completed', paymentStatus: 'paid', deliveryStatus: 'queued' };

interface CreatedPayment {
  readonly paymentId: string;
  /** Where the buyer pays. */
  readonly url: string;
}

/** Creates the payment of an order at a provider, which the shop must have. */
export async function createPayment(
  api: Client,
  { id, accessToken }: TestOrder,
  provider: string,
): Promise<CreatedPayment> {
  const call = { headers: { 'X-Order-Token': accessToken } };
  return expectSuccess<CreatedPayment>(await api.post(`/orders/public/${id}/payment`, { provider }, call));
}

/** Pays an order with the provider `test`, which the shop must have. */
export async function payWithTest(api: Client, order: TestOrder): Promise<void> {
  const { url } = await createPayment(api, order, 'test');
  const page = new URL(url).pathname.replace('/api/v2', '');
  expect((await api.call('post', `${page}/succeed`, {})).status).toBe(303);
}

/** Pays an order at Stripe, whose webhook reports it. Returns the id of the payment intent. */
export async function payWithStripe(
  api: Client,
  stripe: StripeApi,
  webhook: TestWebhook,
  order: TestOrder,
): Promise<string> {
  const { paymentId } = await createPayment(api, order, 'stripe');
  const payment_intent = stripe.pay(paymentId);
  const session = { ...stripe.sessions.get(paymentId), payment_intent };
  expectSuccess(await sendStripe(api, webhook, 'checkout.session.completed', session));
  return payment_intent;
}

/** The ids of the events that were applied to an order. Applying one adds one entry to the audit log. */
export async function appliedTo(database: Db, { id }: TestOrder): Promise<unknown[]> {
  const applied = await database
    .collection('payment_events')
    .find({ orderId: idOf(id), state: 'processed' })
    .toArray();
  const entries = { action: 'order.payment_changed', subjectId: id };
  expect(await database.collection('audit_log').countDocuments(entries)).toBe(applied.length);
  return applied.map(({ eventId }): unknown => eventId);
}

/** The response to a notification of one event. @param problem why it was ignored, or why a person has to look at the order */
export const received = (eventId: string, state: string, duplicate = false, problem: string | null = null) => ({
  received: true,
  events: [{ eventId, state, problem, duplicate }],
});

/** The response to an event of an unknown kind. */
export const ignored = (eventId: string) =>
  received(eventId, 'ignored', false, 'Events of this kind, or in this state, change no order');
