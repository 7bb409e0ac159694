import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { readBsonFile } from './bson-file.js';

const document = (number: number, length = 10): Buffer =>
  Buffer.from(serialize({ _id: number, text: 'x'.repeat(length) }));

let folder: string;
let file: string;

async function read(content: Buffer): Promise<Buffer[]> {
  await writeFile(file, content);
  const documents: Buffer[] = [];
  for await (const some of readBsonFile(file)) documents.push(...some);
  return documents;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-platform-bson-'));
  file = join(folder, 'orders.bson');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('A file of BSON documents', () => {
  it('has no documents when it is empty', async () => {
    expect(await read(Buffer.alloc(0))).toEqual([]);
  });

  it('has its documents byte for byte, also when one is larger than what is read at once', async () => {
    const documents = [
      document(1),
      document(2, 3 * 1024 ** 2),
      ...Array.from({ length: 30_000 }, (_, at) => document(at)),
    ];
    const found = await read(Buffer.concat(documents));
    expect(found).toHaveLength(documents.length);
    expect(Buffer.concat(found).equals(Buffer.concat(documents))).toBe(true);
  });

  it.each([1, 3, 4, 20])('is incomplete when only %d bytes of the last document are there', async (bytes) => {
    const content = Buffer.concat([document(1), document(2).subarray(0, bytes)]);
    await expect(read(content)).rejects.toThrow(`${file} is incomplete: copy it again, or take another backup.`);
  });

  it.each([
    ['a document shorter than any', Buffer.from([4, 0, 0, 0])],
    ['a document longer than any', Buffer.from([0, 0, 0, 2, 0])],
    ['a negative length', Buffer.from([0, 0, 0, 255, 0])],
    ['a document that does not end with a zero', Buffer.concat([document(1).subarray(0, -1), Buffer.from([1])])],
  ])('is damaged with %s', async (_problem, content) => {
    await expect(read(Buffer.concat([document(1), content]))).rejects.toThrow(`${file} is damaged`);
  });
});
