import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MongoClient } from 'mongodb';
import { aggregations } from './aggregations.js';
import { type Case, type Row } from './cases.js';
import { queries } from './queries.js';
import { counted, paths } from './updates.js';
import { openTestStore, type TestStore } from '../../support/test-store.js';

let store: TestStore;
let client: MongoClient;
let made = 0;

beforeAll(async () => {
  store = await openTestStore();
  ({ client } = store);
});
afterAll(() => store.close());

const titled = (cases: Case[]): [string, Case][] =>
  cases.map((each) => [`${each.title} (${each.by}${each.other ? `; the second engine: ${each.other}` : ''})`, each]);
const check = async (_title: string, { given, on, is }: Case): Promise<void> => {
  const c = client.db('shop').collection<Row>(`c${++made}`);
  if (given.length > 0) await c.insertMany(given.map((row) => ({ ...row })));
  expect(await on(c)).toEqual(is);
};

describe('the documents that an update counts as modified', () => it.each(titled(counted))('%s', check));
describe('the paths of an update', () => it.each(titled(paths))('%s', check));
describe('queries', () => it.each(titled(queries))('%s', check));
describe('aggregations', () => it.each(titled(aggregations))('%s', check));
