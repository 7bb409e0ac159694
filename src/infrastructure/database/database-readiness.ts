import { Logger, type OnModuleInit } from '@nestjs/common';
import { type AnyObject, type Connection, type Model, mongo } from 'mongoose';
import { HOUR_MS, SECOND_MS } from '../../lib/time/durations.js';
import { ConfigurationError } from '../config/environment.js';
import { MIGRATIONS } from './migrations/all-migrations.js';
import { migrate, readSchemaState } from './migrations/migrate.js';
import { requireUsable } from './migrations/schema-state.js';
import { hasCollections, indexesOf, indexName } from './model-collections.js';
import { isReplicaSet } from './replica-set.js';
import { requireFinished } from './transfer/unfinished-transfer.js';

/** Building a new index on a large collection takes minutes. */
const TIME_LIMIT_MS = HOUR_MS;
/** After how long a start says what it waits for. */
const QUIET_MS = 5 * SECOND_MS;
/** How many collections get their indexes at the same time. */
const AT_ONCE = 4;

/**
 * Prepares the database before the first request. Transactions need a replica set. What is stored must have the schema of this
 * version. Uniqueness and limits need their indexes: without them the service would store things twice.
 */
export class DatabaseReadiness implements OnModuleInit {
  private readonly logger = new Logger(DatabaseReadiness.name);

  constructor(
    private readonly connection: Connection,
    private readonly uri: string,
    private readonly options: mongo.MongoClientOptions,
    private readonly migrates: boolean,
  ) {}

  /**
   * @throws ConfigurationError when the server is not a member of a replica set, is not prepared within an hour, is an unfinished copy,
   * or has the schema of another version
   */
  async onModuleInit(): Promise<void> {
    // The connection of the service has time limits for requests. Here a slow network or a long index build must not end the start,
    // so this client waits for its connections and for the server as long as it takes.
    const client = new mongo.MongoClient(this.uri, { ...this.options, maxPoolSize: AT_ONCE });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new ConfigurationError('The database could not be prepared within an hour'));
      }, TIME_LIMIT_MS);
    });
    try {
      await Promise.race([this.prepare(client.db()), late]);
    } finally {
      clearTimeout(timer);
      await client.close();
    }
  }

  private async prepare(database: mongo.Db): Promise<void> {
    const hello = await database.admin().command({ hello: 1 });
    if (!isReplicaSet(hello)) {
      throw new ConfigurationError('MONGODB_URI must name a replica set: a standalone server has no transactions');
    }
    await requireFinished(database);
    const models = Object.values(this.connection.models);
    await this.prepareSchema(database, models);
    await this.createIndexes(database, models);
  }

  /** Says nothing where no index is missing. A long build says so while it lasts. */
  private async createIndexes(database: mongo.Db, models: readonly Model<AnyObject>[]): Promise<void> {
    const timer = setTimeout(() => {
      this.logger.log('Creating missing indexes. On a large collection this takes minutes');
    }, QUIET_MS);
    try {
      const created = await Promise.all(models.map((model) => createMissing(database, model)));
      const count = created.reduce((sum, indexes) => sum + indexes, 0);
      const collections = created.filter((indexes) => indexes > 0).length;
      if (count > 0) this.logger.log(`Created ${count} indexes in ${collections} collections`);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A new database gets the schema of this version. Otherwise only a start that `migrates` changes it. */
  private async prepareSchema(database: mongo.Db, models: readonly Model<AnyObject>[]): Promise<void> {
    // Read before the migrations: who makes a database records all of them before the first collection exists.
    const isNew = !(await hasCollections(database, models));
    if (isNew || this.migrates) {
      await migrate(database, MIGRATIONS, (line) => {
        if (!isNew) this.logger.log(line);
      });
    }
    const state = await readSchemaState(database, MIGRATIONS);
    requireUsable(state);
    for (const { _id, name } of state.unknown) {
      this.logger.warn(
        `The database was migrated by a newer version (migration ${_id}, ${name}). This one still works with it.`,
      );
    }
  }
}

/**
 * Creates the missing indexes of a collection in one command. `Model.createIndexes` sends one for each, which makes a start much longer;
 * the method of the driver does not return how many there were. @returns how many indexes were missing
 */
async function createMissing(database: mongo.Db, model: Model<AnyObject>): Promise<number> {
  const indexes = indexesOf(model).map((index) => ({ ...index, name: indexName(index) }));
  if (indexes.length === 0) return 0;
  const reply = await database.command({ createIndexes: model.collection.name, indexes });
  const { numIndexesBefore, numIndexesAfter } = reply as { numIndexesBefore: number; numIndexesAfter: number };
  return numIndexesAfter - numIndexesBefore;
}
