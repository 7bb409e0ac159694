import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { verifyMercadoPagoRequest } from './mercadopago-signature.js';

/**
 * Secret, request id, time and the id of an order as in the tests of Mercado Pago's own library. Version 3.6.1 of the library (npm
 * mercadopago, WebhookSignatureValidator) accepts each of these signatures, and rejects that of the order for the id in lower case.
 */
const SECRET = 'your_secret_key_here';
const REQUEST_ID = '2066ca19-c6f1-498a-be75-1923005edd06';
const ID = '999999999';
const TIME = '1742505638683';
const AT = new Date(Number(TIME));
const V1 = '28fe7557d9faae33f1283eb1423243ce48fc606c8afc17c8ad8ff70133d6a6f6';
const IN_SECONDS = 'ts=1742505638,v1=5888958caa9012653ca8c41ddf2781a1a4fab84dbce8aefb74cc34c661b7b603';
const ORDER_ID = 'ORD01JQ4S4KY8HWQ6NA5PXB65B3D3';
const OF_ORDER = `ts=${TIME},v1=fb15ae6472eb449173c556793205d77787d58f384d183bb5bc3b724c27bd103c`;
const WITHOUT_REQUEST_ID = `ts=${TIME},v1=ca6366bd6326bd6ba2796cce521794cebbfa0004db36c3a8e1db46b29d265db4`;
const WITHOUT_ID = `ts=${TIME},v1=8a7b0cc777a8217c3bab41a50c95dc92debbc6f8448f1c967dfe10ac1cb8b894`;

interface Sent {
  readonly id?: unknown;
  readonly requestId?: string | undefined;
  readonly signature?: string | undefined;
  readonly at?: Date;
  readonly secret?: string | undefined;
}

/** As Mercado Pago would sign a time. */
const signed = (time: string): string => {
  const manifest = `id:${ID};request-id:${REQUEST_ID};ts:${time};`;
  return `ts=${time},v1=${createHmac('sha256', SECRET).update(manifest).digest('hex')}`;
};

const GOLDEN: Sent = { id: ID, requestId: REQUEST_ID, signature: `ts=${TIME},v1=${V1}`, at: AT, secret: SECRET };

function verify(changes: Sent = {}): string | null {
  const { id, requestId, signature, at = AT, secret } = { ...GOLDEN, ...changes };
  const headers = { 'x-request-id': requestId, 'x-signature': signature };
  return verifyMercadoPagoRequest(
    { body: Buffer.from('{}'), headers, query: { 'data.id': id }, receivedAt: at },
    secret,
  );
}

const REJECTED = expect.objectContaining({ code: 'webhook_rejected' });

describe('verifyMercadoPagoRequest', () => {
  it.each([-300, -299, 0, 299, 300])('accepts a time that is %d s off, in seconds and in milliseconds', (offset) => {
    expect(verify({ at: new Date(AT.getTime() + offset * 1000) })).toBe(ID);
    expect(verify({ signature: IN_SECONDS, at: new Date((1_742_505_638 + offset) * 1000) })).toBe(ID);
  });

  it('accepts the example of the specification', () => {
    expect(signed(TIME)).toBe(GOLDEN.signature);
  });

  it('verifies the id as it was sent, also in upper case', () => {
    expect(verify({ id: ORDER_ID, signature: OF_ORDER })).toBe(ORDER_ID);
    expect(() => verify({ id: ORDER_ID.toLowerCase(), signature: OF_ORDER })).toThrow(REJECTED);
  });

  it('leaves out parts that the request does not have', () => {
    expect(verify({ requestId: undefined, signature: WITHOUT_REQUEST_ID })).toBe(ID);
    expect(verify({ id: undefined, signature: WITHOUT_ID })).toBeNull();
  });

  it.each<[string, Sent]>([
    ['no signature', { signature: undefined }],
    ['an empty signature', { signature: '' }],
    ['no time', { signature: `v1=${V1}` }],
    ['two times', { signature: `ts=${TIME},ts=${TIME},v1=${V1}` }],
    ['only another scheme', { signature: `ts=${TIME},v2=${V1}` }],
    ['upper-case hex', { signature: `ts=${TIME},v1=${V1.toUpperCase()}` }],
    ['more signatures than any rotation needs', { signature: `ts=${TIME}${`,v1=${V1}`.repeat(17)}` }],
    ['another request id', { requestId: 'other' }],
    ['no request id', { requestId: undefined }],
    ['another id', { id: '999999998' }],
    ['no id', { id: undefined }],
    ['an empty id', { id: '' }],
    ['two ids', { id: [ID, ID] }],
    ['an id in a list', { id: [ID] }],
    ['a time after a space', { signature: signed(` ${TIME}`) }],
    ['a time before a space', { signature: signed(`${TIME} `) }],
    ['the request id within the id', { id: `${ID};request-id:${REQUEST_ID}`, requestId: undefined }],
    ['a time 301 s ago', { at: new Date(AT.getTime() + 300_001) }],
    ['a time in 301 s', { at: new Date(AT.getTime() - 300_001) }],
    ['another secret', { secret: 'another_secret_key' }],
    ['no secret', { secret: undefined }],
  ])('rejects a request with %s', (_, sent) => {
    expect(() => verify(sent)).toThrow(REJECTED);
  });

  it.each<[string, string, (changed: string) => Sent]>([
    ['the signature', V1, (changed) => ({ signature: `ts=${TIME},v1=${changed}` })],
    ['the time', TIME, (changed) => ({ signature: `ts=${changed},v1=${V1}` })],
    ['the header with both', `ts=${TIME},v1=${V1}`, (signature) => ({ signature })],
    ['the request id', REQUEST_ID, (requestId) => ({ requestId })],
    ['the id', ID, (id) => ({ id })],
  ])('rejects a request with one changed byte in %s (1,000 cases)', (_, text, sentWith) => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = Buffer.from(text);
        bytes[at] = (bytes[at] ?? 0) ^ change;
        expect(() => verify(sentWith(bytes.toString('latin1')))).toThrow(REJECTED);
      }),
      { numRuns: 1_000 },
    );
  });
});
