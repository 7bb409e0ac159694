import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { verifyCoinbaseRequest } from './coinbase-signature.js';

/** From the tests of the software that signs Coinbase's webhooks: https://github.com/hook0/hook0, create_signature_v0_and_v1. */
const SECRET = 'secret';
const BODY = 'hello !';
const TIME = '1636936200';
const NAMES = 'x-event-id x-event-type';
const HEADERS = { 'x-event-id': '1a01cb48-5142-4d9b-8f90-d20cca61f0ee', 'x-event-type': 'service.resource.verb' };
const V0 = '1b3d69df55f1e52f05224ba94a5162abeb17ef52cd7f4948c390f810d6a87e98';
const V1 = 'bc521546ba5de381b12f135782d2008b028c3065c191760b12b76850a8fc8f51';
const SIGNATURE = `t=${TIME},v0=${V0},h=${NAMES},v1=${V1}`;
const AT = new Date(Number(TIME) * 1000);

interface Sent {
  readonly signature?: string | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Buffer;
  readonly at?: Date;
  readonly secret?: string | undefined;
}

const GOLDEN: Sent = { signature: SIGNATURE, headers: HEADERS, body: BODY, at: AT, secret: SECRET };

function verify(changes: Sent = {}): void {
  const { signature, headers, body = '', at = AT, secret } = { ...GOLDEN, ...changes };
  const request = { headers: { ...headers, 'x-hook0-signature': signature }, query: {}, receivedAt: at };
  verifyCoinbaseRequest({ ...request, body: Buffer.from(body) }, secret);
}

const REJECTED = expect.objectContaining({ code: 'webhook_rejected' });
const changedByte = (text: string, at: number, change: number): string => {
  const bytes = Buffer.from(text);
  bytes[at] = (bytes[at] ?? 0) ^ change;
  return bytes.toString('latin1');
};

describe('verifyCoinbaseRequest', () => {
  it.each([-300, -299, 0, 299, 300])('accepts a time that is %d s off', (offset) => {
    expect(() => verify({ at: new Date(AT.getTime() + offset * 1000) })).not.toThrow();
  });

  it('accepts a signature without v0, and one over other headers', () => {
    expect(() => verify({ signature: `t=${TIME},h=${NAMES},v1=${V1}` })).not.toThrow();
    // https://github.com/hook0/hook0, verifying_valid_signature_v1
    const v1 = '493c35f05443fdb74cb99fd4f00e0e7653c2ab6b24fbc97f4a7bd4d56b31758a';
    const sent = { signature: `t=${TIME},h=x-test x-test2,v1=${v1}`, headers: { 'x-test': 'val1', 'x-test2': 'val2' } };
    expect(() => verify(sent)).not.toThrow();
  });

  it.each<[string, Sent]>([
    ['no signature', { signature: undefined }],
    ['an empty signature', { signature: '' }],
    ['only v0', { signature: `t=${TIME},v0=${V0}` }],
    ['v1 as v0', { signature: `t=${TIME},v0=${V1},h=${NAMES}` }],
    ['v0 as v1', { signature: `t=${TIME},h=${NAMES},v1=${V0}` }],
    ['no time', { signature: `h=${NAMES},v1=${V1}` }],
    ['two times', { signature: `t=${TIME},t=${TIME},h=${NAMES},v1=${V1}` }],
    ['no names of headers', { signature: `t=${TIME},v1=${V1}` }],
    ['names of headers twice', { signature: `t=${TIME},h=${NAMES},h=${NAMES},v1=${V1}` }],
    ['a name that is no header', { signature: `t=${TIME},h=constructor,v1=${V1}` }],
    ['names in another order', { signature: `t=${TIME},h=x-event-type x-event-id,v1=${V1}` }],
    ['upper-case hex', { signature: `t=${TIME},h=${NAMES},v1=${V1.toUpperCase()}` }],
    ['more signatures than any rotation needs', { signature: `t=${TIME},h=${NAMES}${`,v1=${V1}`.repeat(17)}` }],
    ['a signed header that is missing', { headers: { 'x-event-id': HEADERS['x-event-id'] } }],
    ['another value of a signed header', { headers: { ...HEADERS, 'x-event-type': 'service.resource.other' } }],
    ['another body', { body: `${BODY} ` }],
    ['a time 301 s ago', { at: new Date(AT.getTime() + 300_001) }],
    ['a time in 301 s', { at: new Date(AT.getTime() - 300_001) }],
    ['another secret', { secret: 'secret2' }],
    ['no secret', { secret: undefined }],
  ])('rejects a request with %s', (_, sent) => {
    expect(() => verify(sent)).toThrow(REJECTED);
  });

  it.each<[string, string, (changed: string) => Sent]>([
    ['the body', BODY, (changed) => ({ body: Buffer.from(changed, 'latin1') })],
    ['the signature', V1, (changed) => ({ signature: `t=${TIME},h=${NAMES},v1=${changed}` })],
    ['the time', TIME, (changed) => ({ signature: `t=${changed},h=${NAMES},v1=${V1}` })],
    ['the whole header', `t=${TIME},h=${NAMES},v1=${V1}`, (signature) => ({ signature })],
    ['a signed header', HEADERS['x-event-id'], (id) => ({ headers: { ...HEADERS, 'x-event-id': id } })],
  ])('rejects a request with one changed byte in %s (1,000 cases)', (_, text, sentWith) => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        expect(() => verify(sentWith(changedByte(text, at, change)))).toThrow(REJECTED);
      }),
      { numRuns: 1_000 },
    );
  });
});
