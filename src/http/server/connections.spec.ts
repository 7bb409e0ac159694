import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, settled } from '../../../test/support/eventually.js';
import { Connections } from './connections.js';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const HALF_SENT = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n{';
/** More than the kernel keeps for a client that does not read. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');

/** A client that closes nothing. */
interface Client {
  readonly socket: Socket;
  /** Everything that was received so far, as soon as it contains the text. */
  reads(text: string): Promise<string>;
  /** Resolves when the server has closed the connection, or its side of it. */
  readonly left: Promise<unknown>;
}

describe('Connections', () => {
  const sockets: Socket[] = [];
  let connections: Connections;
  /** Who opens the next connections; null: a proxy. */
  let opener: string | null;

  const listen = async (
    handle: RequestListener,
    { factor = 1, most = 100, mostOfClient = 100 } = {},
  ): Promise<void> => {
    opener = '192.0.2.1';
    connections = new Connections(handle, factor, () => opener, {}, { most: () => most, mostOfClient });
    await once(connections.server.listen(0, '127.0.0.1'), 'listening');
  };
  const open = async (bytes = '', { readsNothing = false } = {}): Promise<Client> => {
    const { port } = connections.server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    let read = '';
    if (!readsNothing) socket.on('data', (chunk: Buffer) => (read += chunk.toString()));
    const closed = new Promise<void>((resolve) => {
      socket.once('end', resolve);
      // The server may reset the connection.
      socket.once('error', () => {
        resolve();
      });
    });
    const left = settled(closed, 'the end of the connection', () => read);
    // Not every spec waits for it.
    left.catch(() => undefined);
    await once(socket, 'connect');
    socket.write(bytes);
    const reads = (text: string): Promise<string> =>
      eventually(
        () => Promise.resolve(read.includes(text) && read),
        () => `${text} is not in ${read.slice(0, 1_000)}`,
      );
    return { socket, reads, left };
  };
  const countOpen = (): Promise<number> => promisify(connections.server.getConnections.bind(connections.server))();
  const expectOpen = (count: number): Promise<true> => eventually(async () => (await countOpen()) === count);
  const sayHello: RequestListener = (_request, response) => response.end('hello');

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    connections.server.closeAllConnections();
    await connections.close();
  });

  it('gives a client 15 s for the head of a request and 20 s for all of it, and keeps an idle connection for 65 s', async () => {
    await listen(sayHello, { factor: 2 });
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = connections.server;
    expect([headersTimeout, requestTimeout, keepAliveTimeout, timeout]).toEqual([15_000, 20_000, 65_000, 60_000]);
  });

  it('destroys a connection that it rejected, also when the client never closes it', async () => {
    await listen(sayHello);
    const client = await open('nonsense\r\n\r\n');
    expect(await client.reads('/api/v2')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/);
    await expectOpen(0);
  });

  it('destroys a connection whose last response is sent, also when the client never closes it', async () => {
    let served = 0;
    await listen((_request, response) => response.end(`hello ${++served}`));
    const client = await open('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await client.reads('hello');
    // The connection is closed for requests too.
    client.socket.write(GET);
    await expectOpen(0);
    expect(served).toBe(1);
  });

  it('destroys a connection whose client does not read', async () => {
    await listen((_request, response) => response.end(LARGE), { factor: 0.01 });
    await open(GET, { readsNothing: true });
    await expectOpen(1);
    await expectOpen(0);
  });

  it('sends a response that comes before the whole request, and closes the connection for both', async () => {
    await listen((_request, response) => {
      response.setHeader('Connection', 'close');
      response.end('too large');
    });
    const client = await open(HALF_SENT);
    await client.reads('too large');
    await client.left;
    client.socket.write('more and more');
    await expectOpen(0);
  });

  it('lets 16 requests of one connection be in flight, and closes it at the seventeenth', async () => {
    const waiting: ServerResponse[] = [];
    await listen((_request, response) => waiting.push(response));
    const patient = await open(GET.repeat(16));
    await eventually(() => Promise.resolve(waiting.length === 16));
    for (const response of waiting.splice(0)) response.end('hello');
    expect((await patient.reads('hello')).startsWith('HTTP/1.1 200 OK')).toBe(true);
    await expectOpen(1);
    // One million requests in few packets: none but the first 16 reaches a handler.
    const hasty = await open(GET.repeat(1_000_000));
    await hasty.left;
    await expectOpen(1);
    expect(waiting).toHaveLength(16);
  });

  it('makes room for a new connection by closing the one that has waited for its client for the longest', async () => {
    const working: ServerResponse[] = [];
    await listen((_request, response) => working.push(response), { most: 3 });
    const busy = await open(GET);
    await eventually(() => Promise.resolve(working[0]));
    const halfSent = await open(HALF_SENT);
    await eventually(() => Promise.resolve(working[1]));
    const silent = await open();
    await expectOpen(3);
    const next = await open(GET);
    await halfSent.left;
    await eventually(() => Promise.resolve(working[2]));
    await open(GET);
    await silent.left;
    await eventually(() => Promise.resolve(working[3]));
    // The service works on the requests of all others, so it closes none of them.
    const late = await open(GET);
    await late.left;
    for (const response of working) response.end('hello');
    await busy.reads('hello');
    await next.reads('hello');
  });

  it('counts how long a connection waits for its client from the last response, not from the last request', async () => {
    const working: ServerResponse[] = [];
    await listen((_request, response) => working.push(response), { most: 2 });
    const served = await open(GET);
    const response = await eventually(() => Promise.resolve(working[0]));
    const silent = await open();
    await expectOpen(2);
    response.end('hello');
    await served.reads('hello');
    const next = await open(GET);
    await silent.left;
    served.socket.write(GET);
    await eventually(() => Promise.resolve(working.length === 3));
    for (const each of working.slice(1)) each.end('again');
    for (const client of [served, next]) await client.reads('again');
  });

  it('makes room for a client that has too many connections by closing one of its own, and never one of another client', async () => {
    const working: ServerResponse[] = [];
    await listen((_request, response) => working.push(response), { mostOfClient: 2 });
    const stranger = await open();
    await expectOpen(1);
    opener = '192.0.2.2';
    const busy = await open(GET);
    await eventually(() => Promise.resolve(working[0]));
    const silent = await open();
    await expectOpen(3);
    const next = await open(GET);
    await silent.left;
    await eventually(() => Promise.resolve(working[1]));
    // The service works on both requests of the client, so it closes neither.
    const late = await open(GET);
    await late.left;
    await expectOpen(3);
    stranger.socket.write(GET);
    await eventually(() => Promise.resolve(working[2]));
    for (const response of working) response.end('hello');
    for (const served of [busy, next, stranger]) await served.reads('hello');
  });

  it('lets a proxy have as many connections as there may be in all', async () => {
    await listen(sayHello, { most: 4, mostOfClient: 1 });
    opener = null;
    const first = await open(GET);
    await first.reads('hello');
    for (let time = 0; time < 3; time++) await (await open(GET)).reads('hello');
    await expectOpen(4);
    await (await open(GET)).reads('hello');
    await first.left;
    await expectOpen(4);
  });

  it('responds to the request before the invalid bytes first, and then closes the connection', async () => {
    const working: ServerResponse[] = [];
    await listen((_request, response) => working.push(response));
    const client = await open(`${GET}nonsense\r\n\r\n`);
    const response = await eventually(() => Promise.resolve(working[0]));
    response.end('hello');
    expect(await client.reads('hello')).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n/);
    await client.left;
    await expectOpen(0);
  });

  it('rejects a request whose target cannot be read, after the requests before it, and closes the connection', async () => {
    const working: ServerResponse[] = [];
    await listen((_request, response) => working.push(response));
    const client = await open(`${GET}GET http://[/ HTTP/1.1\r\nHost: a\r\n\r\n`);
    const response = await eventually(() => Promise.resolve(working[0]));
    response.end('hello');
    expect(await client.reads('/api/v2')).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[^]*helloHTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/,
    );
    await client.left;
    await expectOpen(0);
    expect(working).toHaveLength(1);
  });

  it('closes each connection after its response from closeAfterResponses on', async () => {
    const working: ServerResponse[] = [];
    await listen((_request, response) => working.push(response));
    const [inFlight, idle] = [await open(GET), await open()];
    await eventually(() => Promise.resolve(working[0]));
    connections.closeAfterResponses();
    idle.socket.write(GET);
    await eventually(() => Promise.resolve(working[1]));
    for (const response of working) response.end('hello');
    for (const client of [inFlight, idle]) {
      expect(await client.reads('hello')).toContain('\r\nConnection: close\r\n');
      await client.left;
    }
  });

  it('serves every connection that waits to be accepted when it stops listening', async () => {
    await listen(sayHello);
    connections.closeAfterResponses();
    const opening = Promise.all(Array.from({ length: 30 }, () => open(GET)));
    // By then they have been requested from the system.
    await new Promise((resolve) => process.nextTick(resolve));
    const closed = connections.close();
    for (const client of await opening) expect(await client.reads('hello')).toContain('HTTP/1.1 200 OK');
    await closed;
  });

  it('closes idle connections, but neither new ones nor those with a request or response in transit', async () => {
    await listen((_request, response) => response.end(LARGE));
    const fresh = await open();
    const idle = await open(GET);
    await idle.reads('x'.repeat(LARGE.length));
    const unfinished = await open('GET / HT');
    const slow = await open(GET, { readsNothing: true });
    let taken = 0;
    slow.socket.pause().on('data', (chunk: Buffer) => (taken += chunk.length));
    await expectOpen(4);
    // The last request of this client has a response, so the server has read what all others sent before.
    await (await open(GET)).reads('x'.repeat(LARGE.length));
    connections.server.closeIdleConnections();
    await idle.left;
    fresh.socket.write(GET);
    await fresh.reads('x'.repeat(LARGE.length));
    slow.socket.resume();
    await eventually(() => Promise.resolve(taken > LARGE.length));
    unfinished.socket.write('TP/1.1\r\nHost: a\r\n\r\n');
    await unfinished.reads('x'.repeat(LARGE.length));
  });

  it('destroys connections that wait for a client when this is requested, and no others', async () => {
    const received: [IncomingMessage, ServerResponse][] = [];
    await listen((request, response) => received.push([request, response]));
    const busy = await open(GET);
    await eventually(() => Promise.resolve(received[0]));
    const waiting = [await open(), await open('GET / HT'), await open(HALF_SENT)];
    await eventually(() => Promise.resolve(received[1]));
    const unread = await open(GET, { readsNothing: true });
    (await eventually(() => Promise.resolve(received[2])))[1].end(LARGE);
    // A file whose client takes nothing more: the service has more of it to send.
    const stalled = await open(GET, { readsNothing: true });
    (await eventually(() => Promise.resolve(received[3])))[1].write(LARGE);
    connections.destroyWaiting();
    for (const { socket } of [unread, stalled]) socket.resume();
    await Promise.all([...waiting, unread, stalled].map(({ left }) => left));
    await expectOpen(1);
    received[0]?.[1].end('hello');
    await busy.reads('hello');
  });
});
