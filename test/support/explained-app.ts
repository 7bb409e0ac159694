import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedStore } from '@shop-platform/embedded-mongodb';
import { deserialize } from 'bson';
import { type Collection, type Db, type Document, MongoClient } from 'mongodb';
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.js';

/** An application whose queries can be explained. */
export interface ExplainedApp {
  readonly app: TestApp;
  readonly database: Db;
  /** Runs something and returns how many documents of a collection its `find` commands examined. */
  examinedBy(collection: string, work: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

/** How many documents a command examines when it runs. */
export async function examined(database: Db, command: Document): Promise<number> {
  const plan = await database.command({ explain: command, verbosity: 'executionStats' });
  return (plan['executionStats'] as { totalDocsExamined: number }).totalDocsExamined;
}

const BATCH = 5_000;

/** Inserts `count` documents. `make` gets numbers from 0 on. */
export async function insertMany(collection: Collection, count: number, make: (n: number) => Document): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from);
    await collection.insertMany(Array.from({ length }, (_, index) => make(from + index)));
  }
}

/**
 * Starts an application on an embedded store of its own, also when TEST_MONGODB_URI names another database: not every database
 * supports `explain`.
 */
export async function startExplainedApp(
  config: TestAppOptions['config'] = {},
  env: TestAppOptions['env'] = {},
): Promise<ExplainedApp> {
  const path = await mkdtemp(join(tmpdir(), 'shop-platform-explained-'));
  const store = await startEmbeddedStore({ path, port: 0 });
  const databaseUri = store.uri.replace('/?', '/explained?');
  const app = await startTestApp({ watchCommands: true, databaseUri, config, env });
  const client = await new MongoClient(databaseUri).connect();
  const database = client.db();
  return {
    app,
    database,
    examinedBy: async (collection, work) => {
      // What follows from earlier requests reads the same collections.
      await app.idle();
      await app.commandBodies();
      await work();
      let count = 0;
      for (const body of await app.commandBodies()) {
        const command = deserialize(body);
        if (command['find'] !== collection) continue;
        const query = Object.entries(command).filter(([name]) => ['find', 'filter', 'sort', 'limit'].includes(name));
        count += await examined(database, Object.fromEntries(query));
      }
      return count;
    },
    close: async () => {
      await client.close();
      await app.close();
      await store.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}
