import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { read, table } from './pages.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

it('lists in docs/retention.md exactly what the database deletes by itself, and when', async () => {
  const stored = await inDatabase(app, async (database) => {
    const collections = await database.collections();
    const rows = collections.map(async (collection) => {
      const indexes = await collection.indexes();
      return indexes.flatMap(({ key, expireAfterSeconds }) =>
        expireAfterSeconds === undefined
          ? []
          : [[`\`${collection.collectionName}\``, `\`${Object.keys(key).join()}\``, String(expireAfterSeconds)]],
      );
    });
    return (await Promise.all(rows)).flat().sort();
  });
  const listed = table(await read('docs/retention.md'), 'retention').map((cells) => cells.slice(0, 3));
  expect(stored).toEqual(listed);
});
