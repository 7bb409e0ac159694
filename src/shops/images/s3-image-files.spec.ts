import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Request, type Response } from 'express';
import { REQUEST_SLOTS } from '../../domain/limits/concurrency.js';
import { RequestSlots } from '../../http/throttling/request-slots.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { S3ImageFiles } from './s3-image-files.js';
import { signedHeaders } from './s3-signature.js';

const CREDENTIALS = { region: 'eu-central-1', accessKey: 'AK', secretKey: 'SK/+' };
const KEY = { shopId: '655f1c2ab1e4a9d3f0c81234', hash: 'ab'.repeat(32) };
const OUTAGE = { code: 'service_unavailable' };

/** A small storage that speaks S3: it keeps objects in memory, and rejects a request whose signature is not that of its credentials. */
let objects: Map<string, Buffer>;
let respond: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
let server: ReturnType<typeof createServer>;
let files: S3ImageFiles;
let url: string;

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  if (respond !== undefined) {
    respond(request, response);
    return;
  }
  const { method = '', url: path = '', headers } = request;
  const [body, type] = [Buffer.concat(parts), headers['content-type']];
  const at = new Date(String(headers['x-amz-date']).replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'));
  const signed = { method, url: new URL(path, url), body, at };
  const expected = signedHeaders(signed, CREDENTIALS, type === undefined ? {} : { 'content-type': type });
  const isSigned = headers.authorization === expected['authorization'];
  const stored = objects.get(path);
  if (isSigned && method === 'PUT') objects.set(path, body);
  if (isSigned && method === 'DELETE') objects.delete(path);
  response.statusCode = !isSigned ? 403 : ({ PUT: 200, DELETE: 204 }[method] ?? (stored === undefined ? 404 : 200));
  response.end(method === 'GET' && isSigned ? stored : undefined);
}

beforeEach(async () => {
  objects = new Map();
  respond = undefined;
  server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket`;
  files = new S3ImageFiles({ ...CREDENTIALS, url });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe('S3ImageFiles', () => {
  it('stores, reads and removes the files of an image below its shop', async () => {
    for (const size of [320, 640, 1280] as const) await files.put(KEY, size, Buffer.from(`image ${size}`));
    expect([...objects.keys()]).toEqual(
      [320, 640, 1280].map((size) => `/bucket/${KEY.shopId}/${KEY.hash}/${size}.webp`),
    );
    expect(await files.get(KEY, 640)).toEqual(Buffer.from('image 640'));
    await files.remove(KEY);
    await files.remove(KEY);
    expect(objects.size).toBe(0);
    expect(await files.get(KEY, 640)).toBeNull();
  });

  it('takes a rejected signature for an outage, never for a missing file', async () => {
    const other = new S3ImageFiles({ ...CREDENTIALS, secretKey: 'wrong', url });
    await expect(other.put(KEY, 320, Buffer.from('x'))).rejects.toMatchObject(OUTAGE);
    await expect(other.get(KEY, 320)).rejects.toMatchObject(OUTAGE);
    await expect(other.remove(KEY)).rejects.toMatchObject(OUTAGE);
  });

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ['an error of the storage', (_, response) => response.writeHead(500).end()],
    ['a redirection, which could lead anywhere', (_, response) => response.writeHead(307, { location: url }).end()],
    ['a file that is longer than any of ours', (_, response) => response.end(Buffer.alloc(8 * 2 ** 20 + 1))],
    [
      'a connection that ends in the middle',
      (_, response) => response.writeHead(200, { 'content-length': 9 }).write('x', () => response.destroy()),
    ],
    ['a storage that does not respond for 3 seconds', () => undefined],
  ])('takes for an outage: %s', async (_name, behaviour) => {
    respond = behaviour;
    await expect(files.get(KEY, 320)).rejects.toMatchObject(OUTAGE);
  });

  it('leaves its slot to requests of others while it waits for the storage', async () => {
    const slots = new RequestSlots({ timeLimitFactor: 1, rateLimitFactor: 1 } as AppConfig);
    const send = (number: number, next: () => void): Request => {
      const request = { path: '/api/v2/images', ip: `198.51.100.${number}`, headers: {} } as Request;
      slots.take(request, new EventEmitter() as unknown as Response, next);
      return request;
    };
    const reads: Promise<Buffer | null>[] = [];
    for (let number = 0; number < REQUEST_SLOTS.total; number++) {
      send(number, () => reads.push(files.get(KEY, 320)));
    }
    let hasBegun = false;
    const other = send(REQUEST_SLOTS.total, () => (hasBegun = true));
    expect([reads.length, hasBegun]).toEqual([REQUEST_SLOTS.total, true]);
    other.slot?.leave();
    expect(await Promise.all(reads)).toEqual(reads.map(() => null));
  });

  it('takes a storage that cannot be reached for an outage', async () => {
    const nowhere = new S3ImageFiles({ ...CREDENTIALS, url: 'http://127.0.0.1:1/bucket' });
    await expect(nowhere.put(KEY, 320, Buffer.from('x'))).rejects.toMatchObject(OUTAGE);
  });
});
