import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import Stripe from 'stripe';
import { accountWith } from '../../../../test/support/provider-accounts.js';
import { type WebhookRequest } from '../provider.js';
import { stripeProvider } from './stripe.provider.js';

const SECRET = 'whsec_5f1a7c2e9d3b4860a1c2e3f4b5d6a7c8';
const NOW = new Date('2026-11-21T12:00:00.000Z');
const SECONDS = NOW.getTime() / 1000;
const BODY = JSON.stringify({
  id: 'evt_1SKqA2',
  object: 'event',
  type: 'payment_intent.succeeded',
  created: SECONDS - 5,
  data: {
    object: {
      id: 'pi_3SKqA2',
      amount_received: 1999,
      currency: 'eur',
      metadata: { orderId: '655f1c2ab1e4a9d3f0c81250' },
    },
  },
});

/** The header as Stripe's own library creates it. */
function sign(options: { payload?: string; secret?: string; timestamp?: number; scheme?: string } = {}): string {
  return Stripe.webhooks.generateTestHeaderString({
    payload: BODY,
    secret: SECRET,
    timestamp: SECONDS,
    ...options,
  });
}

function request(header: string | undefined, body: string | Buffer = BODY): WebhookRequest {
  return { body: Buffer.from(body), headers: { 'stripe-signature': header }, query: {}, receivedAt: NOW };
}

function read(header: string | undefined, body: string | Buffer = BODY, signingSecret = SECRET): unknown {
  return stripeProvider.read(request(header, body), accountWith({ signingSecret }));
}

const REJECTED = expect.objectContaining({ code: 'webhook_rejected' });

describe('stripeProvider.credentials', () => {
  const pattern = (name: string): RegExp | undefined =>
    stripeProvider.credentials.find((one) => one.name === name)?.pattern;

  it.each([
    ['signingSecret', SECRET],
    ['secretKey', 'sk_test_4eC39HqLyjWDarjtT1zdp7dc'],
    ['secretKey', 'rk_live_12345678'],
  ])('accepts %s only as a whole, with nothing before or after it', (name, value) => {
    expect(pattern(name)).toEqual(expect.any(RegExp));
    expect(pattern(name)?.test(value)).toBe(true);
    for (const other of [` ${value}`, `${value} `, `x${value}`]) expect(pattern(name)?.test(other)).toBe(false);
  });
});

describe('stripeProvider.read', () => {
  it("reads what Stripe's own library signs", () => {
    expect(read(sign())).toEqual([
      {
        eventId: 'evt_1SKqA2',
        kind: 'payment_intent.succeeded',
        payment: {
          type: 'payment.succeeded',
          orderId: '655f1c2ab1e4a9d3f0c81250',
          paymentId: 'pi_3SKqA2',
          amountMinor: 1999,
          currency: 'EUR',
          occurredAt: new Date('2026-11-21T11:59:55.000Z'),
          cumulative: false,
        },
      },
    ]);
  });

  it.each([-300, -299, 0, 299, 300])('accepts a signature that is %d seconds off', (offset) => {
    expect(read(sign({ timestamp: SECONDS + offset }))).toHaveLength(1);
  });

  it.each([-86_400, -301, 301, 86_400])('rejects a signature that is %d seconds off', (offset) => {
    expect(() => read(sign({ timestamp: SECONDS + offset }))).toThrow(REJECTED);
  });

  it('accepts any of several v1 signatures, as while a secret is rolled', () => {
    const old = sign({ secret: 'whsec_the_secret_before_this_one' }).split(',v1=')[1] ?? '';
    const [timestamp = '', current = ''] = sign().split(',');
    expect(read(`${timestamp},v1=${old},${current}`)).toHaveLength(1);
    expect(read(`${timestamp},${current},v1=${old},v0=${old}`)).toHaveLength(1);
  });

  it.each<[string, string | undefined]>([
    ['no header', undefined],
    ['an empty header', ''],
    ['no timestamp', sign().replace(/^t=\d+,/, '')],
    ['two timestamps', `t=${SECONDS},${sign()}`],
    ['only the older scheme v0', sign({ scheme: 'v0' })],
    ['another secret', sign({ secret: 'whsec_of_somebody_else_entirely' })],
    ['another body', sign({ payload: `${BODY} ` })],
    ['an empty signature', `t=${SECONDS},v1=`],
    ['upper-case hex', sign().replace(/v1=.*/, (part) => `v1=${part.slice(3).toUpperCase()}`)],
    ['milliseconds for seconds', sign({ timestamp: NOW.getTime() })],
    ['a negative timestamp', sign({ timestamp: -SECONDS })],
    ['a timestamp that is no number', sign({ timestamp: 'NaN' as unknown as number })],
    ['a timestamp with a tail', sign({ timestamp: `${SECONDS}x` as unknown as number })],
    ['more signatures than any rotation needs', `t=${SECONDS}${`,v1=${'0'.repeat(64)}`.repeat(50)}`],
  ])('rejects %s with the same message', (_, header) => {
    expect(() => read(header)).toThrow(REJECTED);
  });

  it('rejects an empty signing secret', () => {
    expect(() => stripeProvider.read(request(sign()), accountWith({}))).toThrow(
      'the shop has not saved the signingSecret of this provider',
    );
  });

  it('rejects a request with one changed byte (1,000 cases)', () => {
    const header = sign();
    const parts = { body: Buffer.from(BODY), header: Buffer.from(header) };
    fc.assert(
      fc.property(
        fc.constantFrom<'body' | 'header'>('body', 'header'),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (part, position, change) => {
          const changed = { body: Buffer.from(parts.body), header: Buffer.from(parts.header) };
          const bytes = changed[part];
          const at = position % bytes.length;
          bytes[at] = (bytes[at] ?? 0) ^ change;
          expect(() => read(changed.header.toString('latin1'), changed.body)).toThrow(REJECTED);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
