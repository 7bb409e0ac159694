import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { isPublicAddress } from '../../lib/network/public-address.js';
import { type NetworkAccess, networkAccess } from './network-access.js';
import { WebhookSender } from './webhook-sender.js';

const NEVER = new AbortController().signal;
const EVERYWHERE = networkAccess({ allowPrivateWebhookTargets: true, dnsServers: [] });
const QUICK_MS = 100;

/** The server that must not be reached, on every address of this computer. */
let server: Server;
let port: number;
let connections = 0;
let requests: IncomingMessage[] = [];
let respond: RequestListener;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request);
    respond(request, response);
  });
  server.on('connection', () => connections++);
  server.listen(0, '::');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
beforeEach(() => {
  connections = 0;
  requests = [];
  respond = (_, response) => response.end('thanks');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const post = (access: NetworkAccess, url: string, timeLimitMs?: number, signal = NEVER) =>
  new WebhookSender(access, timeLimitMs).post({ url, headers: { 'webhook-id': 'id-1' }, body: '{"a":"ä"}' }, signal);
/** Stands for a computer on the internet that does not respond: nobody has this address (RFC 5737). */
const PUBLIC = '192.0.2.1';
const allows = (address: string): boolean => address === PUBLIC || isPublicAddress(address);
/** Only computers on the internet, and names with these addresses. */
const withDns = (...addresses: string[]): NetworkAccess => ({
  resolve: () => Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))),
  allows,
});
const local = (path = '/'): string => `http://127.0.0.1:${port}${path}`;

describe('An address that is not public is not connected to', () => {
  it.each([
    ...['127.0.0.1', '127.0.0.2', '127.255.255.254', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.0.0.1'],
    ...['0x7f.1', '017700000001', '0177.0.0.1', '0177.1', '127.0.0.1.', '①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1'],
    ...['0.0.0.0', '0', '0x0', '[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
    ...['[::127.0.0.1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::127.0.0.1]', '[2002:7f00:1::]'],
    ...['[2001:0:7f00:1::]', '[fe80::1]', '[fec0::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]'],
    ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '0xa9fea9fe', '[::ffff:169.254.169.254]'],
    ...['100.64.0.1', '100.100.100.200', '192.0.0.192', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
  ])('rejects an address that is not public, written as %s', async (host) => {
    await expect(post(withDns(), `http://${host}:${port}/`)).rejects.toMatchObject({ code: 'address_not_public' });
    expect(connections).toBe(0);
  });

  it.each([
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['NAT64', ['64:ff9b::7f00:1']],
    ['6to4', ['2002:7f00:1::']],
    ['metadata of a cloud', ['169.254.169.254']],
    ['private IPv4 and IPv6', ['10.0.0.1', 'fd00::1']],
    ['the zero address', ['0.0.0.0', '::']],
    ['no address', []],
    ['something that is no address', ['localhost']],
  ])('rejects a name whose address is not public: %s', async (_, addresses) => {
    const code = 'address_not_public';
    await expect(post(withDns(...addresses), `http://internal.example:${port}/`)).rejects.toMatchObject({ code });
    await expect(post(withDns(...addresses), `https://internal.example:${port}/`)).rejects.toMatchObject({ code });
    expect(connections).toBe(0);
  });

  it.each(['localhost', 'localhost.', 'a.localhost'])('rejects the real name %s', async (name) => {
    const access = networkAccess({ allowPrivateWebhookTargets: false, dnsServers: ['127.0.0.1:9'] });
    await expect(post(access, `http://${name}:${port}/`)).rejects.toMatchObject({ name: 'SendingError' });
    expect(connections).toBe(0);
  });

  it('rejects a name that is public at first and changes: it checks what the socket connects to', async () => {
    let lookups = 0;
    const addresses = [PUBLIC, '127.0.0.1'];
    const resolve = (): ReturnType<NetworkAccess['resolve']> =>
      Promise.resolve([{ address: addresses[Math.min(lookups++, 1)] ?? '', family: 4 }]);
    const rebinding = { resolve, allows };
    await expect(post(rebinding, `http://rebind.example:${port}/`, QUICK_MS)).rejects.toMatchObject({
      name: 'SendingError',
    });
    expect(lookups).toBe(1);
    const code = 'address_not_public';
    await expect(post(rebinding, `http://rebind.example:${port}/`)).rejects.toMatchObject({ code });
    expect(connections).toBe(0);
  });

  it('connects only to the public ones of several addresses', async () => {
    const mixed = withDns('127.0.0.1', PUBLIC, '::1');
    await expect(post(mixed, `http://mixed.example:${port}/`, QUICK_MS)).rejects.toMatchObject({
      name: 'SendingError',
    });
    expect(connections).toBe(0);
  });

  it('connects to the same server where private targets are allowed', async () => {
    expect(await post(EVERYWHERE, local())).toMatchObject({ status: 200 });
    expect(await post(EVERYWHERE, `http://localhost:${port}/`)).toMatchObject({ status: 200 });
    expect(connections).toBe(2);
  });
});

describe('An exchange', () => {
  it('sends the body and the headers, and returns the status and the response', async () => {
    let received = '';
    respond = (request, response) => {
      request.on('data', (chunk: Buffer) => (received += chunk.toString()));
      request.on('end', () => response.writeHead(503, { 'retry-after': '120' }).end('busy'));
    };
    expect(await post(EVERYWHERE, local('/hook?a=1'))).toEqual({ status: 503, retryAfter: '120', response: 'busy' });
    const [request] = requests;
    expect([request?.method, request?.url, received]).toEqual(['POST', '/hook?a=1', '{"a":"ä"}']);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '10',
      'webhook-id': 'id-1',
    });
  });

  it('follows no redirect of a receiver', async () => {
    respond = (_, response) => response.writeHead(302, { location: local('/secret') }).end();
    expect(await post(EVERYWHERE, local('/hook'))).toMatchObject({ status: 302 });
    expect(requests.map(({ url }) => url)).toEqual(['/hook']);
  });

  it('reads 1,024 bytes of an endless response, leaves out half a character, and hangs up', async () => {
    let closed: Promise<unknown> | undefined;
    respond = (_, response) => {
      closed = once(response, 'close');
      response.write('a');
      const more = (): void => {
        // In a later iteration of the event loop: the client is in this process too, and must get to read.
        if (!response.destroyed) response.write('ä'.repeat(10_000), () => setImmediate(more));
      };
      more();
    };
    const { response } = await post(EVERYWHERE, local());
    expect(response).toBe(`a${'ä'.repeat(511)}`);
    await closed;
  });

  it.each<[string, RequestListener]>([
    ['does not begin', () => undefined],
    ['begins and does not end', (_, response) => response.write('a')],
  ])('ends an exchange after its time limit when the response %s', async (_, hanging) => {
    respond = hanging;
    await expect(post(EVERYWHERE, local(), QUICK_MS)).rejects.toMatchObject({ code: 'timeout' });
  });

  it('ends an exchange when its signal says so', async () => {
    const controller = new AbortController();
    respond = () => controller.abort();
    await expect(post(EVERYWHERE, local(), undefined, controller.signal)).rejects.toMatchObject({ code: 'abort_err' });
  });

  it('names why there is no response', async () => {
    respond = (request) => request.socket.destroy();
    await expect(post(EVERYWHERE, local())).rejects.toMatchObject({ code: 'econnreset' });
    await expect(post(EVERYWHERE, `https://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: expect.stringMatching(/^[a-z0-9_]+$/),
    });
    respond = (request) => request.socket.end('nonsense\r\n\r\n');
    await expect(post(EVERYWHERE, local())).rejects.toMatchObject({ code: 'hpe_invalid_constant' });
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    respond = (request) => request.socket.write(switching);
    await expect(post(EVERYWHERE, local())).rejects.toMatchObject({ code: 'no_answer' });
  });
});

it('limits an exchange to ten seconds', async () => {
  const timeout = jest.spyOn(AbortSignal, 'timeout');
  await post(EVERYWHERE, local());
  expect(timeout.mock.calls).toEqual([[10_000]]);
  timeout.mockRestore();
});

it('opens a connection for each request, so that each looks up and checks the address', async () => {
  await post(EVERYWHERE, local());
  await post(EVERYWHERE, local());
  expect([requests.length, connections]).toEqual([2, 2]);
});
