import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { missingForPayments } from '../../accounts/credentials/credential-rules.js';
import fc from 'fast-check';
import { MOLLIE_KEY, type MollieApi, startMollieApi } from '../../../../test/payments/mollie-api.js';
import { accountWith, newPayment, failureOf } from '../../../../test/support/provider-accounts.js';
import { mollieProvider } from './mollie.provider.js';
import { type CreatedPayment, type NewPayment, type ProviderAccount, type ProviderEvent } from '../provider.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const WEBHOOK = 'https://api.example.com/api/v2/payments/webhooks/mollie/655f1c2ab1e4a9d3f0c81201/secret';
const PAYMENT = newPayment();

const PAID = {
  id: 'tr_d0b0E3EA3v',
  status: 'paid',
  amount: { currency: 'EUR', value: '19.90' },
  createdAt: '2026-11-21T08:00:00+00:00',
};

const READ = 'mollie: its response cannot be read:';

let api: MollieApi;

const account = (fields: Partial<ProviderAccount> = {}): ProviderAccount =>
  accountWith({ apiKey: MOLLIE_KEY }, { apiUrl: api.url, webhookUrl: WEBHOOK, ...fields });
const create = async (payment: Partial<NewPayment> = {}, at = account()): Promise<CreatedPayment> =>
  mollieProvider.create({ ...PAYMENT, ...payment }, at);
const read = async (body: string | Buffer, at = account()): Promise<readonly ProviderEvent[]> =>
  mollieProvider.read({ body: Buffer.from(body), headers: {}, query: {}, receivedAt: NOW }, at);

const UNAVAILABLE = expect.objectContaining({ code: 'provider_unavailable' });
const REJECTED = expect.objectContaining({
  code: 'webhook_rejected',
  message: 'The webhook request cannot be read: the field id must be the id of a payment, tr_...',
});

beforeAll(async () => {
  api = await startMollieApi();
});
beforeEach(() => {
  api.mood = 'well';
  api.creations.length = 0;
});
afterAll(() => api.close());

describe('mollieProvider.credentials', () => {
  it('accepts the API key only as a whole, with nothing before or after it', () => {
    const pattern = mollieProvider.credentials[0]?.pattern;
    for (const key of [MOLLIE_KEY, `live_${'a'.repeat(30)}`]) {
      expect(pattern?.test(key)).toBe(true);
      for (const other of [` ${key}`, `${key}\n`, `x${key}`, `${key}/`]) expect(pattern?.test(other)).toBe(false);
    }
    expect(pattern?.test('live_short')).toBe(false);
  });
});

it('creates payments for every account', () => {
  expect(missingForPayments(mollieProvider, { apiKey: MOLLIE_KEY })).toEqual([]);
});

describe('mollieProvider.create', () => {
  it('sends the total, our reference and the webhook, and returns where the buyer pays', async () => {
    const { paymentId, url, expiresAt } = await create();
    expect(url).toBe(`https://www.mollie.com/checkout/select-method/${paymentId.slice(3)}`);
    expect(expiresAt).toEqual(new Date('2036-11-21T08:15:00.000Z'));
    expect(api.creations.map(({ idempotencyKey, body }) => [idempotencyKey, JSON.parse(body) as unknown])).toEqual([
      [
        PAYMENT.id,
        {
          amount: { currency: 'EUR', value: '19.90' },
          description: 'Order #1042',
          redirectUrl: 'https://shop.example.com/thanks',
          cancelUrl: 'https://shop.example.com/',
          webhookUrl: WEBHOOK,
          metadata: { orderId: '655f1c2ab1e4a9d3f0c81250' },
        },
      ],
    ]);
  });

  it.each([
    [1250, 'JPY', '1250'],
    [1234, 'KWD', '1.234'],
    [5, 'EUR', '0.05'],
  ])('writes %d minor units of %s as %s', async (amountMinor, currency, value) => {
    await create({ id: `${currency}${amountMinor}`, amountMinor, currency });
    expect(JSON.parse(api.creations[0]?.body ?? '')).toMatchObject({ amount: { currency, value } });
  });

  it('sends the same bytes in a repetition, and returns the same payment', async () => {
    const first = await create();
    expect(await create()).toEqual(first);
    expect(api.creations[1]).toEqual(api.creations[0]);
  });

  it('returns the end of the order when Mollie names none', async () => {
    const checkout = { href: 'https://www.mollie.com/checkout/x' };
    api.mood = { status: 201, body: { id: 'tr_x', _links: { checkout } } };
    expect(await create()).toEqual({ paymentId: 'tr_x', url: checkout.href, expiresAt: PAYMENT.expiresAt });
  });

  it.each<[string, MollieApi['mood'], string]>([
    ['is overloaded', { status: 503, body: {} }, 'mollie: status 503'],
    [
      'returns no address',
      { status: 201, body: { id: 'tr_x', _links: {} } },
      `${READ} _links.checkout must be an object`,
    ],
    [
      'returns an address without https',
      { status: 201, body: { id: 'tr_x', _links: { checkout: { href: 'http://x' } } } },
      `${READ} _links.checkout.href must be an https address`,
    ],
    [
      'returns an id that is none',
      { status: 201, body: { id: '../x', _links: { checkout: { href: 'https://x' } } } },
      `${READ} id must be the id of a payment, tr_...`,
    ],
  ])('returns provider_unavailable when Mollie %s', async (_, mood, reason) => {
    api.mood = mood;
    await expect(create()).rejects.toEqual(failureOf(reason));
  });

  it('sends no request when the webhook address is unknown, and names the remedy', async () => {
    const failure = await create({}, account({ webhookUrl: null })).catch((error: unknown) => error);
    expect(failure).toEqual(UNAVAILABLE);
    expect((failure as Error).cause).toEqual(
      new Error('mollie: the webhook address cannot be decrypted; rotate its secret'),
    );
    expect(api.creations).toEqual([]);
  });
});

describe('mollieProvider.read', () => {
  it('returns the payment as Mollie returns it, not as the body has it', async () => {
    const { paymentId } = await create({ id: 'read' });
    // https://docs.mollie.com/reference/webhooks: a form with the id.
    const [event] = await read(`id=${paymentId}&status=paid`);
    expect(event).toMatchObject({ eventId: `${paymentId}-open`, payment: { type: 'payment.pending' } });
    api.change(paymentId, { status: 'paid', paidAt: '2026-11-21T08:01:00+00:00' });
    const [paid] = await read(`id=${paymentId}`);
    expect(paid?.payment).toMatchObject({ type: 'payment.succeeded', amountMinor: 1990, orderId: PAYMENT.orderId });
    expect(await read(`id=${paymentId}`)).toEqual([paid]);
  });

  it('returns no events for an unknown payment', async () => {
    expect(await read('id=tr_d0b0E3EA3v')).toEqual([]);
    api.mood = { status: 410, body: { status: 410, title: 'Gone' } };
    expect(await read('id=tr_d0b0E3EA3v')).toEqual([]);
  });

  it.each<[string, MollieApi['mood'], string]>([
    ['does not respond', { status: 502, body: '<html>' }, 'mollie: status 502'],
    ['rejects the key', { status: 401, body: PAID }, 'mollie: status 401'],
    ['returns another payment', { status: 200, body: { id: 'tr_other' } }, 'mollie: returned another payment'],
  ])('returns provider_unavailable when Mollie %s, so that the webhook is repeated', async (_, mood, reason) => {
    api.mood = mood;
    await expect(read('id=tr_d0b0E3EA3v')).rejects.toEqual(failureOf(reason));
  });

  it.each([
    '{}',
    'id=',
    'id=ord_8wmqcHMN4U',
    'id=tr_',
    'id=tr_a/../../organizations/me',
    'id=tr_a%2F..%2Fx',
    'id=tr_a%3Fx%3D1',
    'id=tr_a%0A',
    'id=xtr_a',
    'id=tr_a&id=tr_b',
    `id=tr_${'a'.repeat(65)}`,
    'payment=tr_a',
  ])('rejects %s before a request to Mollie', async (body) => {
    await expect(read(body)).rejects.toEqual(REJECTED);
  });

  it('sends nothing but an id in the address (1,000 cases)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 60 }), async (tail) => {
        const events = await read(Buffer.concat([Buffer.from('id=tr_a'), tail])).catch((error: unknown) => error);
        const isRejected = (events as { code?: unknown }).code === 'webhook_rejected';
        expect(isRejected || (Array.isArray(events) && events.length === 0)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
