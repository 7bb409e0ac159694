import { once } from 'node:events';
import { CredentialsRejected } from './provider-errors.js';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { callProvider, isSuccess, type ProviderResponse, readResponse, rejectedRefund } from './provider-http.js';

let server: Server;
let url: string;
let listener: RequestListener;

beforeAll(async () => {
  server = createServer((request, response) => {
    listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

afterEach(() => {
  jest.restoreAllMocks();
});

const JSON_TYPE = 'application/json';

const call = (fields: object = {}): Promise<ProviderResponse> =>
  callProvider({ provider: 'mollie', method: 'GET', url, headers: { authorization: 'Bearer secret' }, ...fields });
const respondWith =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);
const failure = (reason: RegExp): unknown =>
  expect.objectContaining({
    code: 'provider_unavailable',
    cause: expect.objectContaining({ message: expect.stringMatching(reason) }),
  });

describe('callProvider', () => {
  it('sends JSON or a string with the given headers, and returns status and fields', async () => {
    const seen: unknown[] = [];
    listener = (request, response) => {
      void text(request).then((body) => {
        const { 'content-type': type, authorization, accept } = request.headers;
        seen.push([request.method, type, authorization, body, accept]);
        response.writeHead(422).end('{"title":"wrong"}');
      });
    };
    const response = await call({ method: 'POST', body: { a: 1 } });
    expect([response.status, response.fields.value('title')]).toEqual([422, 'wrong']);
    await call({ method: 'POST', body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    await call();
    expect(seen).toEqual([
      ['POST', JSON_TYPE, 'Bearer secret', '{"a":1}', JSON_TYPE],
      ['POST', 'application/x-www-form-urlencoded', undefined, 'a=1', JSON_TYPE],
      ['GET', undefined, 'Bearer secret', '', JSON_TYPE],
    ]);
  });

  it('reads a response of a million bytes', async () => {
    listener = respondWith(200, `{"a":"${'x'.repeat(999_992)}"}`);
    expect((await call()).fields.value('a')).toHaveLength(999_992);
  });

  it('reads a response with more keys than a request can have, such as a payment with many refunds', async () => {
    const many = (keys: number): object => Object.fromEntries(Array.from({ length: keys }, (_, key) => [key, key]));
    listener = respondWith(200, JSON.stringify(many(20_000)));
    expect((await call()).fields.value('19999')).toBe(19_999);
  });

  it.each<[string, RequestListener, RegExp]>([
    ['is overloaded', respondWith(429, '{}'), /^mollie: status 429$/],
    ['fails', respondWith(502, '{}'), /^mollie: status 502$/],
    ['returns no JSON', respondWith(200, '<html>'), /must be JSON/],
    ['returns a list', respondWith(200, '[]'), /must be a JSON object/],
    ['returns too much', respondWith(200, `{"a":"${'x'.repeat(1_000_001)}"}`), /too large/],
    ['redirects', respondWith(302, '{}', { location: 'http://127.0.0.1:1/' }), /^mollie: TypeError$/],
    ['closes the connection', (request) => void request.socket.destroy(), /^mollie: TypeError$/],
  ])('returns provider_unavailable when the provider %s', async (_, next, reason) => {
    listener = next;
    await expect(call()).rejects.toEqual(failure(reason));
  });

  it.each<[string, RequestListener]>([
    ['a response', () => undefined],
    ['the rest of a response', (_request, response) => void response.writeHead(200).write('{')],
  ])('waits at most six seconds for %s', async (_, next) => {
    const timeout = jest.spyOn(AbortSignal, 'timeout');
    const withoutWaiting = new AbortController();
    timeout.mockReturnValue(withoutWaiting.signal);
    const requested = new Promise<void>((resolve) => {
      listener = (request, response) => {
        next(request, response);
        resolve();
      };
    });
    const calling = expect(call()).rejects.toEqual(failure(/^mollie: TimeoutError$/));
    await requested;
    expect(timeout.mock.calls).toEqual([[6_000]]);
    withoutWaiting.abort(new DOMException('too late', 'TimeoutError'));
    await calling;
  });
});

it.each([
  [199, false],
  [200, true],
  [299, true],
  [300, false],
])('maps the status %d to the success %s', (status, is) => {
  expect(isSuccess(status)).toBe(is);
});

describe('rejectedRefund', () => {
  it.each([401, 403])('throws provider_credentials_rejected for status %d', (status) => {
    expect(() => rejectedRefund('mollie', status, 'word')).toThrow(new CredentialsRejected('mollie', status));
  });

  it.each([408, 409, 429])('throws provider_unavailable for status %d', (status) => {
    expect(() => rejectedRefund('mollie', status, 'word')).toThrow(failure(new RegExp(`^mollie: status ${status}$`)));
  });

  it.each([
    ['word', 'word'],
    ['two words', 'status_422'],
    [7, 'status_422'],
    [undefined, 'status_422'],
  ])('returns a failed refund for status 422 with the reason %j', (word, reason) => {
    expect(rejectedRefund('mollie', 422, word)).toEqual({ refundId: null, state: 'failed', failure: reason });
  });
});

it('turns only an unexpected field into provider_unavailable', () => {
  expect(readResponse('mollie', () => 1)).toBe(1);
  const bug = new Error('a bug');
  expect(() =>
    readResponse('mollie', () => {
      throw bug;
    }),
  ).toThrow(bug);
});
