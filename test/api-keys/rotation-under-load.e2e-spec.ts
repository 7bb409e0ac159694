import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aKey, aShop, type TestShop } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const GRACE_SECONDS = 2;
const LOOPS = 2;
/** How many answers after the grace are enough. */
const ENOUGH = 40;

interface Answer {
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

  /** Calls with a key, in parallel loops at both processes, until `enough` says so. */
  async function answersOf(key: string, enough: (answers: readonly Answer[]) => boolean): Promise<Answer[]> {
    const answers: Answer[] = [];
    const loop = async ({ api }: TestApp): Promise<void> => {
      while (!enough(answers)) {
        const began = Date.now();
        const { status } = await api.get(`/products/${shop.shopId}`, { key });
        answers.push({ began, ended: Date.now(), status });
      }
    };
    await Promise.all(Array.from({ length: LOOPS }, () => [loop(one), loop(other)]).flat());
    return answers;
  }

  it('fails no request with either key inside the grace, and every one with the old key after it', async () => {
    const { id, key } = await aKey(one.api, shop);
    let end = Infinity;
    const after = (answers: readonly Answer[]): Answer[] => answers.filter(({ began }) => began >= end);
    const oldKey = answersOf(key, (answers) => after(answers).length >= ENOUGH);
    const next = expectSuccess<{ key: string; previousKeyExpiresAt: string }>(
      await one.api.post(`/api-keys/${id}/rotate`, { graceSeconds: GRACE_SECONDS }, { token: shop.owner.token }),
    );
    end = Date.parse(next.previousKeyExpiresAt);
    const newKey = answersOf(next.key, (answers) => after(answers).length >= ENOUGH);
    const [before, since] = await Promise.all([oldKey, newKey]);

    const inside = before.filter(({ ended }) => ended < end);
    expect(inside.length).toBeGreaterThan(ENOUGH);
    expect(inside.filter(({ status }) => status !== 200)).toEqual([]);
    expect(after(before).filter(({ status }) => status !== 401)).toEqual([]);
    expect(since.filter(({ began }) => began < end).length).toBeGreaterThan(ENOUGH);
    expect(since.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('leaves no request without a key that works, also when it is rotated again and again', async () => {
    const { id, key } = await aKey(one.api, shop);
    let present = key;
    let done = false;
    const statuses = new Set<number>();
    const client = async ({ api }: TestApp): Promise<void> => {
      while (!done) statuses.add((await api.get(`/products/${shop.shopId}`, { key: present })).status);
    };
    const clients = [one, other].map(client);
    for (let times = 0; times < 10; times++) {
      const rotated = await one.api.post(`/api-keys/${id}/rotate`, {}, { token: shop.owner.token });
      // What was sent before this line still carries the key before.
      present = expectSuccess<{ key: string }>(rotated).key;
      const first = await other.api.get(`/products/${shop.shopId}`, { key: present });
      expectSuccess(first);
    }
    done = true;
    await Promise.all(clients);
    expect(statuses).toEqual(new Set([200]));
  });
});
