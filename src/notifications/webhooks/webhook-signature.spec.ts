import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { makeSigningSecret } from '../../lib/crypto/standard-webhooks.js';
import { signedHeaders } from './webhook-signature.js';

const BODY = '{"type":"order.paid","data":{"nickname":"Zoë"}}';
const [OLD, NEW, OTHER] = [makeSigningSecret(), makeSigningSecret(), makeSigningSecret()];

describe('signedHeaders', () => {
  it('signs so that the reference library accepts each of the secrets, and no other', () => {
    const headers = signedHeaders('655f1c2ab1e4a9d3f0c812d1', BODY, [NEW, OLD], new Date());
    for (const secret of [NEW, OLD]) expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    expect(() => new Webhook(OTHER).verify(BODY, headers)).toThrow();
    expect(() => new Webhook(NEW).verify(BODY.replace('paid', 'void'), headers)).toThrow();
    expect(() => new Webhook(NEW).verify(BODY, { ...headers, 'webhook-id': 'other' })).toThrow();
  });

  it('names the second of the sending', () => {
    const headers = signedHeaders('id', BODY, [NEW], new Date('2026-11-22T12:00:00.999Z'));
    expect(headers['webhook-timestamp']).toBe(String(Date.parse('2026-11-22T12:00:00Z') / 1000));
  });
});
