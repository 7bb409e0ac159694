import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EJSON } from 'bson';
import { StoreServer } from '../../src/server.js';
import { version } from '../../src/commands/basics.js';
import { type Fields } from './matching.js';
import { admitted, runCase } from './runner.js';

/** Tests that don't pass, with the reason: what the store does not offer, or what the driver or this runner lacks. */
interface Listed {
  readonly file: string;
  readonly test: string;
  readonly reason: string;
}

const folder = resolve(process.env['SPECIFICATIONS'] ?? '../shared/mongodb-specifications');
const listed = JSON.parse(readFileSync(new URL('./not-passing.json', import.meta.url), 'utf8')) as Listed[];
const reasonFor = (file: string, test: string): string | undefined =>
  listed.find((one) => one.file === file && (one.test === '*' || one.test === test))?.reason;

function files(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory()
        ? files(join(directory, entry.name))
        : entry.name.endsWith('.json')
          ? [join(directory, entry.name)]
          : [],
    )
    .sort();
}

if (!existsSync(folder)) {
  process.stderr.write(`driver specification tests: no folder ${folder}, so they are left out\n`);
  it.skip(`no folder ${folder}`, () => undefined);
} else {
  const path = mkdtempSync(join(tmpdir(), 'store-specifications-'));
  let store: StoreServer;
  beforeAll(async () => {
    store = await StoreServer.start({ path, port: 0, testCommands: true });
  });
  afterAll(async () => {
    await store.close();
    rmSync(path, { recursive: true, force: true });
  });

  for (const name of files(folder)) {
    const file = EJSON.parse(readFileSync(name, 'utf8'), { relaxed: true }) as Fields;
    if (!admitted(file['runOnRequirements'], version)) continue;
    const short = relative(folder, name);
    describe(short, () => {
      for (const test of file['tests'] as Fields[]) {
        if (!admitted(test['runOnRequirements'], version) || test['skipReason'] !== undefined) continue;
        const title = String(test['description']);
        const reason = reasonFor(short, title);
        const run = (): Promise<void> => runCase(store.uri.replace('&directConnection=true', ''), { file, test });
        if (reason === undefined) it(title, run);
        else it(`${title} [listed as not passing: ${reason}]`, async () => expect(run()).rejects.toThrow());
      }
    });
  }
}
