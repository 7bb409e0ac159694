import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { aroundBatches } from '../../../test/support/batches.js';
import { directTransactions } from '../../../test/support/fakes.js';
import { type SealedRecords, SealedRecordsRegistry } from '../../infrastructure/database/sealed-records.js';
import { KeyRotationService, type RotationResult } from './key-rotation.service.js';

interface Item {
  readonly id: string;
  readonly text: string;
}

/** Records in memory. A string is current when it begins with `new`, and cannot be decrypted when it is `broken`. */
class FakeRecords implements SealedRecords<Item, string> {
  items: Item[] = [];
  limits: number[] = [];
  /** Runs once, right before the next write. */
  before: (() => void) | null = null;

  constructor(readonly kind: string) {}

  readonly repository = {
    listAfter: (id: string | null, limit: number): Promise<Item[]> => {
      this.limits.push(limit);
      return Promise.resolve(this.items.filter((item) => id === null || item.id > id).slice(0, limit));
    },
    reseal: (item: Item, text: string): Promise<boolean> => {
      this.before?.();
      this.before = null;
      const index = this.items.indexOf(item);
      if (index !== -1) this.items[index] = { ...item, text };
      return Promise.resolve(index !== -1);
    },
  };

  readonly vault = {
    reseal: ({ text }: Item): string | null => {
      if (text === 'broken') throw new Error('it cannot be decrypted');
      return text.startsWith('new') ? null : text.replace('old', 'new');
    },
  };
}

const itemAt = (index: number, text: string): Item => ({ id: String(index).padStart(4, '0'), text });

describe('The rotation of the encryption key', () => {
  let credentials: FakeRecords;
  let factors: FakeRecords;
  let responses: FakeRecords;
  let webhooks: FakeRecords;
  let messages: FakeRecords;
  let service: KeyRotationService;

  const rotate = async (report: (line: string) => void = () => undefined): Promise<RotationResult[]> => {
    const results: RotationResult[] = [];
    await service.rotate((result) => results.push(result), report);
    return results;
  };
  const stringsOf = ({ items }: FakeRecords): string[] => items.map(({ text }) => text);

  beforeEach(() => {
    [credentials, factors, responses] = [new FakeRecords('a'), new FakeRecords('b'), new FakeRecords('c')];
    webhooks = new FakeRecords('d');
    messages = new FakeRecords('e');
    const registry = new SealedRecordsRegistry();
    for (const records of [credentials, factors, responses, webhooks, messages, new FakeRecords('f')])
      registry.add(records);
    service = new KeyRotationService(directTransactions, registry);
  });

  it('encrypts every record of every kind again, in batches, and nothing the second time', async () => {
    credentials.items = [itemAt(1, 'old 1'), itemAt(2, 'new 2')];
    messages.items = [itemAt(1, 'old 1')];
    factors.items = Array.from({ length: 250 }, (_, index) => itemAt(index, `old ${index}`));
    webhooks.items = [itemAt(1, 'old 1')];
    const none = { reencrypted: 0, current: 0, unreadable: [] };
    expect(await rotate()).toEqual([
      { kind: 'a', reencrypted: 1, current: 1, unreadable: [] },
      { kind: 'b', reencrypted: 250, current: 0, unreadable: [] },
      { kind: 'c', ...none },
      { kind: 'd', ...none, reencrypted: 1 },
      { kind: 'e', ...none, reencrypted: 1 },
      { kind: 'f', ...none },
    ]);
    expect(stringsOf(credentials)).toEqual(['new 1', 'new 2']);
    expect(stringsOf(factors)).toEqual(Array.from({ length: 250 }, (_, index) => `new ${index}`));
    expect(new Set(factors.limits)).toEqual(new Set([100]));
    expect(await rotate()).toEqual([
      { kind: 'a', ...none, current: 2 },
      { kind: 'b', ...none, current: 250 },
      { kind: 'c', ...none },
      { kind: 'd', ...none, current: 1 },
      { kind: 'e', ...none, current: 1 },
      { kind: 'f', ...none },
    ]);
  });

  it.each(aroundBatches(100))('encrypts each of %i records again, and counts each once', async (count) => {
    factors.items = Array.from({ length: count }, (_, index) => itemAt(index, `old ${index}`));
    expect((await rotate())[1]).toEqual({ kind: 'b', reencrypted: count, current: 0, unreadable: [] });
    expect(stringsOf(factors).every((text) => text.startsWith('new'))).toBe(true);
  });

  it('names what cannot be decrypted, leaves it as it is, and goes on', async () => {
    responses.items = [itemAt(1, 'broken'), itemAt(2, 'old'), itemAt(3, 'broken')];
    expect((await rotate())[2]).toEqual({ kind: 'c', reencrypted: 1, current: 0, unreadable: ['0001', '0003'] });
    expect(stringsOf(responses)).toEqual(['broken', 'new', 'broken']);
  });

  it.each([
    ['was encrypted with the new key', 'new, changed', { reencrypted: 1, current: 1 }],
    ['was encrypted with the old key', 'old, changed', { reencrypted: 2, current: 0 }],
  ])('keeps a change at the same time that %s', async (_, text, counts) => {
    factors.items = [itemAt(1, 'old 1'), itemAt(2, 'old 2')];
    factors.before = () => (factors.items[0] = itemAt(1, text));
    expect((await rotate())[1]).toEqual({ kind: 'b', ...counts, unreadable: [] });
    expect(stringsOf(factors)).toEqual(['new, changed', 'new 2']);
  });

  it('continues when a record was deleted at the same time', async () => {
    factors.items = [itemAt(1, 'old 1'), itemAt(2, 'old 2')];
    factors.before = () => factors.items.shift();
    expect((await rotate())[1]).toEqual({ kind: 'b', reencrypted: 1, current: 0, unreadable: [] });
  });

  it('reports the progress within a kind that takes longer than five seconds', async () => {
    jest.useFakeTimers();
    factors.items = Array.from({ length: 250 }, (_, index) => itemAt(index, index === 3 ? 'broken' : `old ${index}`));
    factors.before = () => {
      jest.advanceTimersByTime(5_000);
    };
    const lines: string[] = [];
    await rotate((line) => lines.push(line));
    jest.useRealTimers();
    expect(lines).toEqual(['b: 100 records so far']);
  });
});
