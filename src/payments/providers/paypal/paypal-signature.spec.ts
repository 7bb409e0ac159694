import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { CERTIFICATE, OLD_CERTIFICATE, paypalHeaders } from '../../../../test/support/paypal-signing.js';
import { accountWith, unavailable } from '../../../../test/support/provider-accounts.js';
import { DAY_MS } from '../../../lib/time/durations.js';
import { isCertificateUrl, verifyPayPalRequest } from './paypal-signature.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const BODY =
  '{"id":"WH-58D329510W468432D-8HN650336L201105X","event_type":"CUSTOMER.ACCOUNT.CREATED","resource":{"name":"Zoë"}}';
const TRANSMISSION_ID = '69cd13f0-d67a-11e5-baa3-778b53f4ae55';
const WEBHOOK_ID = '8PT597110X687430L';
/** Made with OpenSSL 3.0.19 (`dgst -sha256 -sign`) over the text with the CRC-32 that Python's zlib computed: 1012701478. */
const SIGNATURE =
  'XVy3A338g2dndhy6LjLoE4QDAQdavl2AgQrZCVNdeHlnwvOk5TdWIfr3Dm1H/dSicnsSn/6IhzRgM5dtqRu/bxFZ8bdnDuj+1GcuCHlVniow9WsB3IpTx1s6PWYK' +
  'v92Lp5VS7jPB5oKQMApJ4b59b4EH71w9Mr14GT1GtmEBY/CUs262imSGd/M5JgYSZOYhiDTKl+SelT6oqmGfljCi/nKv2oyxajw7GOCPO/JeB3bRK9UPiOmiwmxw' +
  'tm8U0AL4mpBrUfDTT7r6UwABp1razGHNxaAFrneFT3rqE92jThQ52rIvUJEvKJlZU0n46GMBi+umdkEz3krvNDOgtqxoQA==';

let server: Server;
let apiUrl: string;
const fetched: string[] = [];
const accepted = new Set<unknown>();

beforeAll(async () => {
  const pages: Record<string, readonly [number, string]> = {
    'CERT-1': [200, CERTIFICATE],
    'CERT-again': [200, CERTIFICATE],
    'CERT-daily': [200, CERTIFICATE],
    'CERT-old': [200, OLD_CERTIFICATE],
    'CERT-garbage': [200, '<html>'],
    'CERT-moved': [302, ''],
    'CERT-down': [503, ''],
  };
  server = createServer(({ url = '', headers }, response) => {
    fetched.push(url);
    accepted.add(headers.accept);
    const [status, body] = pages[url.replace('/v1/notifications/certs/', '')] ?? [404, '{}'];
    response.writeHead(status, { location: `${apiUrl}/v1/notifications/certs/CERT-1` }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  fetched.length = 0;
});

const certUrl = (name = 'CERT-1'): string => `${apiUrl}/v1/notifications/certs/${name}`;
const headersOf = (changes: object = {}, body: string | Buffer = BODY): Record<string, string> =>
  paypalHeaders(body, {
    id: TRANSMISSION_ID,
    time: '2026-11-21T12:00:00Z',
    webhookId: WEBHOOK_ID,
    certUrl: certUrl(),
    ...changes,
  });
const verify = (headers: Record<string, string>, body: string | Buffer = BODY): Promise<void> =>
  verifyPayPalRequest(
    { headers, body: Buffer.from(body), query: {}, receivedAt: NOW },
    accountWith({ webhookId: WEBHOOK_ID }, { apiUrl }),
  );
const REJECTED = expect.objectContaining({ code: 'webhook_rejected' });

describe('verifyPayPalRequest', () => {
  it('accepts a signature of OpenSSL', async () => {
    await verify({ ...headersOf(), 'paypal-transmission-sig': SIGNATURE });
    expect(headersOf()['paypal-transmission-sig']).toBe(SIGNATURE);
  });

  it('fetches a certificate again after a day', async () => {
    const headers = headersOf({ certUrl: certUrl('CERT-daily') });
    // The clock of the cache. Stopped timers would also stop the request.
    const begin = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(begin);
    const verifyAt = async (passedMs: number): Promise<void> => {
      clock.mockReturnValue(begin + passedMs);
      await verify(headers);
      // The cache keeps a time that it read until its timer of a millisecond ends.
      await setTimeout(2);
    };
    await verifyAt(0);
    await verifyAt(DAY_MS - 1);
    expect(fetched).toHaveLength(1);
    await verifyAt(DAY_MS + 1);
    clock.mockRestore();
    expect(fetched).toHaveLength(2);
  });

  it('fetches a certificate once, also for parallel requests', async () => {
    const headers = headersOf({ certUrl: certUrl('CERT-again') });
    await Promise.all([verify(headers), verify(headers), verify(headers)]);
    await verify(headers);
    expect(fetched).toEqual(['/v1/notifications/certs/CERT-again']);
    // It is no JSON.
    expect(accepted).toEqual(new Set(['*/*']));
  });

  it.each(['2026-11-21T11:55:00Z', '2026-11-21T12:05:00Z', '2026-11-21T13:00:00+01:00'])(
    'accepts a request of %s',
    async (time) => {
      await verify(headersOf({ time }));
    },
  );

  it.each<[string, () => Record<string, string>]>([
    ['of 301 seconds before', () => headersOf({ time: '2026-11-21T11:54:59Z' })],
    ['of 301 seconds later', () => headersOf({ time: '2026-11-21T12:05:01Z' })],
    ['without a time', () => headersOf({ time: '' })],
    ['with the time as a number', () => headersOf({ time: '1795262400' })],
    ['with a transmission id that moves the borders of what is signed', () => headersOf({ id: 'a|b' })],
    ['for another webhook', () => headersOf({ webhookId: '8PT597110X687430M' })],
    ["of PayPal's simulator", () => headersOf({ webhookId: 'WEBHOOK_ID' })],
    ['without a signature', () => ({ ...headersOf(), 'paypal-transmission-sig': '' })],
    ['with another algorithm', () => ({ ...headersOf(), 'paypal-auth-algo': 'SHA1withRSA' })],
    ['without headers', () => ({})],
    ['with a certificate that is over', () => headersOf({ certUrl: certUrl('CERT-old') })],
    ['with a certificate that does not exist', () => headersOf({ certUrl: certUrl('CERT-none') })],
  ])('rejects a request %s with the same message', async (_, headers) => {
    await expect(verify(headers())).rejects.toEqual(REJECTED);
  });

  it('rejects another body', async () => {
    await expect(verify(headersOf(), `${BODY} `)).rejects.toEqual(REJECTED);
  });

  it.each([
    ['CERT-garbage', 'paypal: returned no certificate'],
    ['CERT-moved', 'paypal: TypeError'],
    ['CERT-down', 'paypal: status 503'],
  ])('follows no redirects, and returns provider_unavailable for %s', async (name, reason) => {
    const request = verify(headersOf({ certUrl: certUrl(name) }));
    await expect(request).rejects.toEqual(unavailable(reason));
    expect(fetched).toEqual([`/v1/notifications/certs/${name}`]);
  });

  it.each([undefined, ''])('rejects every request while the webhook id is missing (%j)', async (webhookId) => {
    const headers = headersOf({ webhookId });
    const request = { headers, body: Buffer.from(BODY), query: {}, receivedAt: NOW };
    await expect(verifyPayPalRequest(request, accountWith({}, { apiUrl }))).rejects.toEqual(REJECTED);
  });

  it('accepts a certificate from its first second to its last', async () => {
    const { validFrom, validTo } = new X509Certificate(CERTIFICATE);
    const [first, last] = [new Date(validFrom).getTime(), new Date(validTo).getTime()];
    const verifyAt = (at: number): Promise<void> => {
      const receivedAt = new Date(at);
      const headers = headersOf({ time: receivedAt.toISOString() });
      const request = { headers, body: Buffer.from(BODY), query: {}, receivedAt };
      return verifyPayPalRequest(request, accountWith({ webhookId: WEBHOOK_ID }, { apiUrl }));
    };
    for (const at of [first, last]) await verifyAt(at);
    for (const at of [first - 1, last + 1]) await expect(verifyAt(at)).rejects.toEqual(REJECTED);
  });

  it('rejects a request with one changed byte (1,000 cases)', async () => {
    const headers = headersOf();
    const names = fc.constantFrom(...Object.keys(headers), 'body');
    await fc.assert(
      fc.asyncProperty(names, fc.nat(), fc.integer({ min: 1, max: 127 }), async (name, position, change) => {
        const bytes = Buffer.from(name === 'body' ? BODY : (headers[name] ?? ''));
        const at = position % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ change;
        const changed = name === 'body' ? headers : { ...headers, [name]: bytes.toString('latin1') };
        await expect(verify(changed, name === 'body' ? bytes : BODY)).rejects.toEqual(REJECTED);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('isCertificateUrl', () => {
  const PATH = '/v1/notifications/certs/CERT-360caa42-fca2a594-a5cafa77';

  it.each([
    `https://evil.example.com${PATH}`,
    `https://api.paypal.com.evil.example.com${PATH}`,
    `https://evil.example.com/https://api.paypal.com${PATH}`,
    `https://api.paypal.com@evil.example.com${PATH}`,
    `https://api.paypal.com:8443${PATH}`,
    `https://www.paypal.com${PATH}`,
    `https://api.sandbox.paypal.com${PATH}`,
    `http://api.paypal.com${PATH}`,
    `HTTPS://api.paypal.com${PATH}`,
    `https://api.paypal.com${PATH}?x=1`,
    `https://api.paypal.com${PATH}#x`,
    `https://api.paypal.com${PATH}/../../../v1/reporting`,
    `https://api.paypal.com${PATH}%2f..`,
    'https://api.paypal.com/v1/notifications/certs/',
    'https://api.paypal.com/v1/catalogs/CERT-1',
    ` https://api.paypal.com${PATH}`,
    'file:///etc/passwd',
    '',
  ])('rejects %p in production', (url) => {
    expect(isCertificateUrl(url, 'https://api-m.paypal.com')).toBe(false);
  });

  it.each([
    ['https://api-m.paypal.com', 'https://api.paypal.com'],
    ['https://api-m.paypal.com', 'https://api-m.paypal.com'],
    ['https://api-m.sandbox.paypal.com', 'https://api.sandbox.paypal.com'],
    ['https://api-m.sandbox.paypal.com', 'https://api-m.sandbox.paypal.com'],
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
  ])('accepts for the API at %s a certificate at %s', (api, origin) => {
    expect(isCertificateUrl(origin + PATH, api)).toBe(true);
  });

  it('accepts only the address of the configured API', async () => {
    for (const other of ['https://api.paypal.com', 'http://127.0.0.1:1', `${apiUrl}0`]) {
      await expect(verify(headersOf({ certUrl: other + PATH }))).rejects.toEqual(REJECTED);
    }
    expect(fetched).toEqual([]);
  });
});
