// A running service with a store of its own, for the benchmark.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedStore } from '@shop-platform/embedded-mongodb';
import { MongoClient } from 'mongodb';
import { startService } from '../test/support/start-service.js';
import { disconnect, succeed } from './http.js';

/**
 * Starts the service, lets `work` use it, and stops it.
 * @param work gets `api` (the address of the API), `call` (sends a request of JSON and returns `data` of its response),
 * `openShop`, `database` with its `databaseUri`, `dataDir`, and the `pid` of the service
 * @param env environment variables of the service
 * @param main the compiled service; undefined: that of this checkout
 */
export async function withService(work, env, main) {
  const dataDir = mkdtempSync(join(tmpdir(), 'shop-platform-bench-'));
  const store = await startEmbeddedStore({ path: join(dataDir, 'store'), port: 0 });
  const databaseUri = store.uri.replace('/?', '/bench?');
  const service = startService({
    dataDir,
    main,
    env: { RATE_LIMIT_FACTOR: '100000', MONGODB_URI: databaseUri, ...env },
  });
  const client = await new MongoClient(databaseUri).connect();
  try {
    const api = `${await service.started()}/api/v2`;
    const call = async (method, path, { body, headers = {} } = {}) => {
      const json = { 'content-type': 'application/json', ...headers };
      const text = await succeed(`${api}${path}`, { method, headers: json, body: body && JSON.stringify(body) });
      return JSON.parse(text).data;
    };
    const { pid } = service;
    const database = client.db();
    await work({ api, call, openShop: (name) => openShop(call, name), database, databaseUri, dataDir, pid });
  } catch (error) {
    console.error(service.output().slice(-4000));
    throw error;
  } finally {
    disconnect();
    await service.stop('SIGTERM');
    await client.close();
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A shop with a game server and a product. `owner` has the headers of its owner. */
async function openShop(call, uniqueName) {
  const person = { email: `${uniqueName}@example.com`, password: 'correct horse battery', name: 'Olivia' };
  const { accessToken } = await call('POST', '/auth/register', { body: person });
  const owner = { authorization: `Bearer ${accessToken}` };
  const create = (path, body) => call('POST', path, { headers: owner, body });
  const nicknameRule = { preset: 'minecraft-java' };
  const shop = { uniqueName, displayName: 'Bench', currency: 'EUR', timezone: 'Europe/Berlin', nicknameRule };
  const shopId = (await create('/shops', shop))._id;
  const server = { name: 'Survival', game: 'minecraft-java', address: 'play.example.com' };
  const serverId = (await create(`/servers/${shopId}`, server)).id;
  const product = { name: 'VIP', price: 9.99, serverIds: [serverId], commands: ['give {nickname} vip'] };
  const productId = (await create(`/products/${shopId}`, product)).id;
  return { shopId, serverId, productId, owner };
}

let buyers = 0;

/** The body of a checkout of one VIP by a buyer who has no other order. */
export function newOrder({ serverId, productId }) {
  const nickname = `bench_${++buyers}`;
  return { items: [{ productId, quantity: 1 }], serverId, nickname, email: `${nickname}@example.com` };
}
