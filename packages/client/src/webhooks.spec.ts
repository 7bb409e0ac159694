import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type SignedRequest, verifyWebhook, WebhookVerificationError } from './index.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER_SECRET = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const EVENT = { type: 'order.paid', shopId: 'a1', data: { name: 'Ünï' } };
const BODY = JSON.stringify(EVENT);

/** A request as the reference implementation of the specification signs it. */
function signed(sentAt = new Date(), secrets = [SECRET]): SignedRequest & { headers: Record<string, string> } {
  return {
    body: BODY,
    secret: SECRET,
    headers: {
      'webhook-id': 'e1',
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign('e1', sentAt, BODY)).join(' '),
    },
  };
}
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

describe('verifyWebhook', () => {
  it.each<[title: string, request: SignedRequest]>([
    ['a string with headers of Node', signed()],
    [
      'bytes with Headers',
      { ...signed(), body: new TextEncoder().encode(BODY), headers: new Headers(signed().headers) },
    ],
    ['one of two signatures during a rotation', signed(new Date(), [OTHER_SECRET, SECRET])],
    ['one of two secrets during a rotation', { ...signed(), secret: [OTHER_SECRET, SECRET] }],
    ['a request that was sent four minutes ago', signed(minutesAgo(4))],
  ])('returns the event of %s', async (_title, request) => {
    expect(await verifyWebhook(request)).toEqual({ id: 'e1', event: EVENT });
  });

  const without = (name: string): Record<string, string> =>
    Object.fromEntries(Object.entries(signed().headers).filter(([each]) => each !== name));
  const withSignature = (signature: string): SignedRequest => ({
    ...signed(),
    headers: { ...signed().headers, 'webhook-signature': signature },
  });
  it.each<[title: string, request: SignedRequest, message: string]>([
    ['a changed body', { ...signed(), body: `${BODY} ` }, 'webhook-signature is wrong'],
    ['another secret', { ...signed(), secret: OTHER_SECRET }, 'webhook-signature is wrong'],
    ['another id', { ...signed(), headers: { ...signed().headers, 'webhook-id': 'e2' } }, 'webhook-signature is wrong'],
    ['another version of signatures', withSignature('v2,AAAA'), 'webhook-signature is wrong'],
    ['a signature that is no base64', withSignature('v1,%'), 'webhook-signature is wrong'],
    ['no signature', { ...signed(), headers: without('webhook-signature') }, 'webhook-signature is missing'],
    ['no id', { ...signed(), headers: without('webhook-id') }, 'webhook-id is missing'],
    ['a request of six minutes ago', signed(minutesAgo(6)), 'webhook-timestamp is too far from now'],
    ['a request of the future', signed(minutesAgo(-6)), 'webhook-timestamp is too far from now'],
    [
      'a time that is no number',
      { ...signed(), headers: { ...signed().headers, 'webhook-timestamp': 'now' } },
      'webhook-timestamp is too far from now',
    ],
  ])('rejects %s', async (_title, request, message) => {
    await expect(verifyWebhook(request)).rejects.toEqual(new WebhookVerificationError(message));
  });

  it('names a secret that cannot be one', async () => {
    const request = { ...signed(), secret: 'whsec_%' };
    await expect(verifyWebhook(request)).rejects.toEqual(
      new TypeError('The signing secret must be whsec_ with base64'),
    );
  });
});
