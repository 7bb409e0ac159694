import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EJSON } from 'bson';
import { CommandFailPoints } from '../support/fail-points.js';
import { StoreServer } from '../../src/server.js';
import { version } from '../../src/commands/basics.js';
import { type Fields, fieldsOf, list, text } from './format.js';
import { failsAsListed, type Listed, readList } from './not-passing.js';
import { admitted } from './requirements.js';
import { runCase } from './runner.js';

const folder = process.env['SPECIFICATIONS'] ?? ''; // set by run.js

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

const path = mkdtempSync(join(tmpdir(), 'store-specifications-'));
const listed = readList(new URL('./not-passing.json', import.meta.url));
const met = new Set<Listed>();
let store: StoreServer;
beforeAll(async () => {
  store = await StoreServer.start({ path, port: 0 }, new CommandFailPoints());
});
afterAll(async () => {
  await store.close();
  rmSync(path, { recursive: true, force: true });
});

const define = (name: string, file: Fields, test: Fields): void => {
  const title = text(test['description']);
  const isMeant = admitted(file['runOnRequirements'], version) && admitted(test['runOnRequirements'], version);
  const reason = isMeant ? test['skipReason'] : 'it is not for this kind of server';
  const run = (): Promise<void> => runCase(store.uri.replace('&directConnection=true', ''), { file, test });
  const entry = listed.find((one) => one.file === name && one.title === title);
  if (reason !== undefined) it.skip(`${title} [skipped: ${text(reason)}]`, () => undefined);
  else if (!entry) it(title, run);
  else {
    met.add(entry);
    it(`${title} [listed as not passing: ${entry.reason}]`, () => failsAsListed(entry, run));
  }
};
const all = files(folder).map((path) => ({ path, name: relative(folder, path) }));
for (const { path, name } of all) {
  describe(name, () => {
    const file = fieldsOf(EJSON.parse(readFileSync(path, 'utf8'), { relaxed: true }));
    for (const test of list(file['tests'])) define(name, file, test);
  });
}

it('finds every test that is listed as not passing among these tests', () => {
  const left = listed.filter((entry) => !met.has(entry) && all.some(({ name }) => name === entry.file));
  expect(left.map(({ file, title }) => `${file}: ${title}`)).toEqual([]);
});
