import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HostileImage, hostileImages, TRACES } from './hostile-images.js';

interface Result {
  readonly name: string;
  readonly outcome: string;
  readonly left: readonly string[];
  readonly mebibytes: number;
}

const MOST_MEBIBYTES = 64;
const SCRIPT = new URL('encode-in-process.js', import.meta.url).pathname;

let folder: string;
let images: HostileImage[];
let results: Result[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-images-'));
  images = await hostileImages();
  for (const [index, { bytes }] of images.entries()) {
    await writeFile(join(folder, String(index).padStart(2, '0')), bytes);
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', SCRIPT, folder, ...TRACES], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  results = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Result);
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

describe('Forty hostile images', () => {
  const named = <Value>(valueOf: (result: Result) => Value): Record<string, Value> =>
    Object.fromEntries(results.map((result, index) => [images[index]?.name ?? '', valueOf(result)]));

  it('are rejected, or only their pixels are kept', () => {
    const wanted = { kept: 'kept', rejected: 'image_invalid' };
    const decided = images.filter(({ expected }) => expected !== 'either');
    const outcomes = named(({ outcome }) => outcome);
    expect(Object.keys(outcomes)).toHaveLength(40);
    expect(outcomes).toMatchObject(
      Object.fromEntries(decided.map(({ name, expected }) => [name, wanted[expected as 'kept' | 'rejected']])),
    );
    for (const outcome of Object.values(outcomes)) expect(['kept', 'image_invalid']).toContain(outcome);
    expect(results.flatMap(({ left }) => left)).toEqual([]);
  });

  it('need less than 64 MiB of memory each', () => {
    const tooMuch = Object.entries(named(({ mebibytes }) => mebibytes)).filter(([, most]) => most >= MOST_MEBIBYTES);
    expect(tooMuch).toEqual([]);
  });
});
