import { Logger, type OnModuleInit } from '@nestjs/common';
import { type AnyObject, type Connection, type Model, mongo } from 'mongoose';
import { HOUR_MS } from '../time/durations.js';
import { ConfigurationError } from '../config/environment.js';

/** Building a new index on a large collection takes minutes. */
const TIME_LIMIT_MS = HOUR_MS;
/** How many collections get their indexes at the same time. */
const AT_ONCE = 4;

/**
 * Prepares the database before the first request. Transactions need a replica set. Uniqueness and limits need their indexes:
 * without them the service would store things twice.
 */
export class DatabaseReadiness implements OnModuleInit {
  private readonly logger = new Logger(DatabaseReadiness.name);

  constructor(
    private readonly connection: Connection,
    private readonly uri: string,
    private readonly options: mongo.MongoClientOptions,
  ) {}

  /** @throws ConfigurationError when the server is not a member of a replica set, or is not prepared within an hour */
  async onModuleInit(): Promise<void> {
    // The connection of the service has time limits for requests. Here a slow network or a long index build must not end the start,
    // so this client waits for its connections and for the server as long as it takes.
    const client = new mongo.MongoClient(this.uri, { ...this.options, maxPoolSize: AT_ONCE });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new ConfigurationError('The indexes of the database could not be created within an hour'));
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
    if (hello['setName'] === undefined && hello['msg'] !== 'isdbgrid') {
      throw new ConfigurationError('MONGODB_URI must name a replica set: a standalone server has no transactions');
    }
    const models = Object.values(this.connection.models);
    this.logger.log(`Creating the missing indexes of ${models.length} collections`);
    await Promise.all(models.map((model: Model<AnyObject>) => createIndexes(database, model)));
  }
}

/** All indexes of a collection in one command. `Model.createIndexes` sends one for each, which makes a start much longer. */
async function createIndexes(database: mongo.Db, { schema, collection }: Model<AnyObject>): Promise<void> {
  const indexes = schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
  if (indexes.length > 0) await database.collection(collection.name).createIndexes(indexes);
}
