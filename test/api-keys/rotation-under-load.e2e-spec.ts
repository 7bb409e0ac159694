import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aKey, aShop, type TestShop } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Long enough: the test itself ends the grace period when it has made enough requests. */
const GRACE_SECONDS = 3_600;
const LOOPS = 2;
/** How many requests to wait for in each phase. */
const ENOUGH = 8;

interface KeyResponse {
  /** Milliseconds on the clock of `performance`. */
  readonly began: number;
  readonly ended: number;
  readonly status: number;
}

describe('A rotation under load, in two processes', () => {
  let one: TestApp;
  let other: TestApp;
  let shop: TestShop;

  beforeAll(async () => {
    one = await startTestApp();
    other = await startTestApp({ databaseUri: one.databaseUri });
    shop = await aShop(one.api);
  });
  afterAll(async () => {
    await other.close();
    await one.close();
  });

  /** Sends requests with a key, in parallel loops to both processes, until it is stopped. */
  class Traffic {
    readonly responses: KeyResponse[] = [];
    private stopped = false;
    private readonly loops: Promise<unknown>;

    constructor(private readonly key: string) {
      this.loops = Promise.all(Array.from({ length: LOOPS }, () => [this.loop(one), this.loop(other)]).flat());
    }

    /** Waits for some responses to requests that start after this call. */
    async more(): Promise<void> {
      const from = performance.now();
      await eventually(() => Promise.resolve(this.responses.filter(({ began }) => began >= from).length >= ENOUGH));
    }

    stop(): Promise<unknown> {
      this.stopped = true;
      return this.loops;
    }

    private async loop({ api }: TestApp): Promise<void> {
      while (!this.stopped) {
        const began = performance.now();
        const { status } = await api.get(`/products/${shop.shopId}`, { key: this.key });
        this.responses.push({ began, ended: performance.now(), status });
      }
    }
  }
  const statuses = (responses: readonly KeyResponse[]): Set<number> => new Set(responses.map(({ status }) => status));

  it('accepts every request with either key in the grace period, and none with the old key after it', async () => {
    const { id, key } = await aKey(one.api, shop);
    const oldKey = new Traffic(key);
    await oldKey.more();
    const next = expectSuccess<{ key: string }>(
      await one.api.post(`/api-keys/${id}/rotate`, { graceSeconds: GRACE_SECONDS }, { token: shop.owner.token }),
    );
    const newKey = new Traffic(next.key);
    await Promise.all([oldKey.more(), newKey.more()]);

    const lastMoment = performance.now();
    const over = { $set: { previousKeyExpiresAt: new Date(Date.now() - 1) } };
    await inDatabase(one, (database) => database.collection('api_keys').updateOne({ _id: idOf(id) }, over));
    const ended = performance.now();
    await Promise.all([oldKey.more(), newKey.more()]);
    await Promise.all([oldKey.stop(), newKey.stop()]);

    expect(statuses(oldKey.responses.filter((response) => response.ended <= lastMoment))).toEqual(new Set([200]));
    expect(statuses(oldKey.responses.filter(({ began }) => began >= ended))).toEqual(new Set([401]));
    expect(statuses(newKey.responses)).toEqual(new Set([200]));
  });

  it('leaves a client always with a working key, also when the key is rotated again and again', async () => {
    const { id, key } = await aKey(one.api, shop);
    let current = key;
    let done = false;
    const seen = new Set<number>();
    const client = async ({ api }: TestApp): Promise<void> => {
      while (!done) seen.add((await api.get(`/products/${shop.shopId}`, { key: current })).status);
    };
    const clients = [one, other].map(client);
    for (let times = 0; times < 10; times++) {
      const rotated = await one.api.post(`/api-keys/${id}/rotate`, {}, { token: shop.owner.token });
      // Requests that were sent before this line still use the previous key.
      current = expectSuccess<{ key: string }>(rotated).key;
      expectSuccess(await other.api.get(`/products/${shop.shopId}`, { key: current }));
    }
    done = true;
    await Promise.all(clients);
    expect(seen).toEqual(new Set([200]));
  });
});
