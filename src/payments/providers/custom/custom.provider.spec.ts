import { createHmac } from 'node:crypto';
import { missingForPayments } from '../../accounts/credentials/credential-rules.js';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { BODY, ID, NOW } from '../../../../test/support/custom-payment.js';
import { accountWith, newPayment } from '../../../../test/support/provider-accounts.js';
import { customProvider } from './custom.provider.js';
import { type CreatedPayment, type NewPayment, type WebhookRequest } from '../provider.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const REJECTED = expect.objectContaining({ code: 'webhook_rejected' });

interface Parts {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string | Buffer;
}

/** A webhook request as the reference library signs it. */
function signed({ at = NOW, body = BODY, id = ID, secret = SECRET } = {}): Parts {
  return {
    id,
    timestamp: String(Math.floor(at.getTime() / 1000)),
    signature: new Webhook(secret).sign(id, at, body),
    body,
  };
}

function request({ id, timestamp, signature, body }: Parts): WebhookRequest {
  return {
    body: Buffer.from(body),
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
    query: {},
    receivedAt: NOW,
  };
}

const read = (parts: Parts): unknown => customProvider.read(request(parts), accountWith({ signingSecret: SECRET }));

describe('customProvider.read', () => {
  it('accepts and reads what the reference library signs', () => {
    expect(read(signed())).toEqual([
      {
        eventId: ID,
        kind: 'payment.succeeded',
        payment: {
          type: 'payment.succeeded',
          orderId: '655f1c2ab1e4a9d3f0c81250',
          paymentId: 'pay_1',
          amountMinor: 1999,
          currency: 'EUR',
          occurredAt: new Date('2026-11-21T11:59:59.500Z'),
          cumulative: false,
        },
      },
    ]);
  });

  it("accepts the specification's own example", () => {
    const example: WebhookRequest = {
      body: Buffer.from('{"test": 2432232314}'),
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
      query: {},
      receivedAt: new Date(1614265330_000),
    };
    // The signature is valid. Only then the event is found to be no payment.
    expect(() =>
      customProvider.read(example, accountWith({ signingSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })),
    ).toThrow('The webhook request cannot be read: type must be 1 to 255 printable characters without spaces');
  });

  it.each([-300, 0, 300])('accepts a timestamp that is %d seconds off', (offset) => {
    expect(read(signed({ at: new Date(NOW.getTime() + offset * 1000) }))).toHaveLength(1);
  });

  it.each([-86_400, -301, 301, 86_400])('rejects a timestamp that is %d seconds off', (offset) => {
    expect(() => read(signed({ at: new Date(NOW.getTime() + offset * 1000) }))).toThrow(REJECTED);
  });

  it('accepts any of several signatures, as during the rotation of a secret', () => {
    const own = signed();
    const other = signed({ secret: `whsec_${Buffer.alloc(24, 9).toString('base64')}` });
    expect(read({ ...own, signature: `${other.signature} v1a,AAAA ${own.signature}` })).toHaveLength(1);
  });

  it.each<[string, Partial<Parts>]>([
    ['no signature', { signature: '' }],
    ['only an asymmetric signature', { signature: signed().signature.replace('v1,', 'v1a,') }],
    ['the signature without its version', { signature: signed().signature.slice(3) }],
    ['another id', { id: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4X' }],
    ['no id', { id: '' }],
    ['no timestamp', { timestamp: '' }],
    ['a timestamp with a tail', { timestamp: `${signed().timestamp}x` }],
    ['another body', { body: `${BODY} ` }],
    ['a signature of another secret', signed({ secret: `whsec_${Buffer.alloc(24, 9).toString('base64')}` })],
  ])('rejects %s with the same message', (_, parts) => {
    expect(() => read({ ...signed(), ...parts })).toThrow(REJECTED);
  });

  it('rejects an id with a dot, which separates the parts of what is signed', () => {
    for (const id of ['msg.1', '.', 'msg_1.1763726400']) {
      expect(() => read(signed({ id }))).toThrow('webhook-id must not contain a dot');
    }
  });

  it('rejects an id with a space', () => {
    expect(() => read(signed({ id: 'msg 1' }))).toThrow(
      'webhook-id must be 1 to 255 printable characters without spaces',
    );
  });

  it('rejects an empty secret as a key', () => {
    expect(() => customProvider.read(request(signed()), accountWith({}))).toThrow('a signing secret is missing');
  });

  it('rejects a request with one changed byte (1,000 cases)', () => {
    const parts = signed();
    fc.assert(
      fc.property(
        fc.constantFrom<keyof Parts>('id', 'timestamp', 'signature', 'body'),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (part, position, change) => {
          const bytes = Buffer.from(parts[part]);
          const at = position % bytes.length;
          bytes[at] = (bytes[at] ?? 0) ^ change;
          const changed = part === 'body' ? bytes : bytes.toString('latin1');
          expect(() => read({ ...parts, [part]: changed })).toThrow(REJECTED);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('The signing secret of a custom provider', () => {
  const [rule] = customProvider.credentials;

  it('generates a signing secret when the shop sends none, which the reference library accepts', () => {
    const made = rule?.generate?.() ?? '';
    expect(made).toMatch(rule?.pattern ?? /never/);
    const parts = signed({ secret: made });
    expect(customProvider.read(request(parts), accountWith({ signingSecret: made }))).toHaveLength(1);
    expect(rule?.generate?.()).not.toBe(made);
  });

  it.each([24, 25, 26, 32, 63, 64])('accepts %d bytes', (bytes) => {
    expect(`whsec_${Buffer.alloc(bytes, 255).toString('base64')}`).toMatch(rule?.pattern ?? /never/);
  });

  it.each([24, 25, 26, 32, 63, 64])(
    'accepts %d bytes after `v1,`, without the `=` at the end, and checks signatures',
    (bytes) => {
      const secret = `whsec_${Buffer.alloc(bytes, 255).toString('base64')}`;
      const pasted = `v1,${secret.replace(/=+$/, '')}`;
      expect(pasted).toMatch(rule?.pattern ?? /never/);
      expect(customProvider.read(request(signed({ secret })), accountWith({ signingSecret: pasted }))).toHaveLength(1);
    },
  );

  it('rejects characters before and after the secret', () => {
    expect(`x${SECRET}`).not.toMatch(rule?.pattern ?? /./);
    expect(`${SECRET}\n`).not.toMatch(rule?.pattern ?? /./);
  });

  it.each([0, 16, 23, 65, 66, 67, 128])('rejects %d bytes', (bytes) => {
    expect(`whsec_${Buffer.alloc(bytes, 255).toString('base64')}`).not.toMatch(rule?.pattern ?? /./);
  });
});

describe('The payment page of a custom provider', () => {
  const PAYMENT = newPayment({ successUrl: 'https://shop.example.com/thanks?a=1&b=2' });
  const create = (paymentUrl: string, changes: Partial<NewPayment> = {}): CreatedPayment =>
    customProvider.create(
      { ...PAYMENT, ...changes },
      accountWith({ paymentUrl, signingSecret: SECRET }),
    ) as CreatedPayment;
  const isAddress = (value: string): boolean =>
    customProvider.credentials.find(({ name }) => name === 'paymentUrl')?.pattern.test(value) ?? false;

  it('receives the escaped values and a signature with the signing secret in its address', () => {
    const template =
      'https://pay.example.com/{orderId}/{paymentId}?a={amount}&c={currency}&s={successUrl}&x={cancelUrl}&v={signature}';
    expect(isAddress(template)).toBe(true);
    // As docs/payments.md describes it.
    const signed = 'payment-page.655f1c2ab1e4a9d3f0c81277.655f1c2ab1e4a9d3f0c81250.19.90.EUR';
    const signature = createHmac('sha256', SECRET).update(signed).digest('base64url');
    expect(create(template)).toEqual({
      paymentId: PAYMENT.id,
      url:
        'https://pay.example.com/655f1c2ab1e4a9d3f0c81250/655f1c2ab1e4a9d3f0c81277?a=19.90&c=EUR' +
        '&s=https%3A%2F%2Fshop.example.com%2Fthanks%3Fa%3D1%26b%3D2&x=https%3A%2F%2Fshop.example.com%2F' +
        `&v=${signature}`,
      expiresAt: PAYMENT.expiresAt,
    });
  });

  it('receives an empty value for an unknown placeholder', () => {
    expect(create('https://pay.example.com/{other}').url).toBe('https://pay.example.com/');
  });

  it('rejects an empty signing secret', () => {
    const account = accountWith({ paymentUrl: 'https://pay.example.com/' });
    expect(() => customProvider.create(PAYMENT, account)).toThrow('a signing secret is missing');
  });

  it('requires a payment page for payments by buyers', () => {
    expect(missingForPayments(customProvider, { signingSecret: SECRET })).toEqual(['paymentUrl']);
    const complete = { signingSecret: SECRET, paymentUrl: 'https://pay.example.com/' };
    expect(missingForPayments(customProvider, complete)).toEqual([]);
  });

  it.each([
    'https://pay.example.com/',
    'https://pay.example.com:8443/pay',
    'http://localhost:3000/{orderId}',
    'http://127.0.0.1/',
    `https://pay.example.com/${'a'.repeat(276)}`,
  ])('accepts the address %s', (address) => {
    expect(isAddress(address)).toBe(true);
  });

  it.each([
    'https://pay.example.com',
    'http://pay.example.com/',
    'http://localhost.example.com/',
    'https://user@pay.example.com/',
    'https://pay.example.com/{other}',
    'https://pay.example.com/{',
    'https://pay.example.com/a b',
    'https://pay.example.com/\n',
    'https://{orderId}.example.com/',
    ' https://pay.example.com/',
    'javascript:https://pay.example.com/',
    `https://pay.example.com/${'a'.repeat(277)}`,
  ])('rejects the address %j', (address) => {
    expect(isAddress(address)).toBe(false);
  });
});
