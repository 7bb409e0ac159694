import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type AnyObject, type Connection, type Model, type mongo } from 'mongoose';
import { ConfigurationError } from '../config/environment.js';

/**
 * Prepares the database before the first request. Transactions need a replica set. Uniqueness and limits need their indexes:
 * without them the service would store things twice.
 */
@Injectable()
export class DatabaseReadiness implements OnModuleInit {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** @throws ConfigurationError when the server is not a member of a replica set */
  async onModuleInit(): Promise<void> {
    const hello = await this.connection.db?.admin().command({ hello: 1 });
    if (hello?.['setName'] === undefined && hello?.['msg'] !== 'isdbgrid') {
      throw new ConfigurationError('MONGODB_URI must name a replica set: a standalone server has no transactions');
    }
    await Promise.all(Object.values(this.connection.models).map(createIndexes));
  }
}

/** All indexes of a collection in one command. `Model.createIndexes` sends one for each, which makes a start much longer. */
async function createIndexes({ schema, collection }: Model<AnyObject>): Promise<void> {
  const indexes = schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
  if (indexes.length > 0) await collection.createIndexes(indexes);
}
