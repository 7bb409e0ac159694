import { type DynamicModule, Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { DatabaseReadiness } from './database-readiness.js';
import { DatabasePing } from './database-ping.js';
import { setQueryDefaults } from './query-defaults.js';
import { Transactions } from './transactions.js';

setQueryDefaults();

/** The connection: majority writes, bounded waits. */
@Global()
@Module({})
export class DatabaseModule {
  /**
   * @param uri connection string of a replica set (the embedded store's included)
   * @param monitorCommands whether the driver announces each command, for counting them
   */
  static forRoot(uri: string, monitorCommands: boolean): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        MongooseModule.forRoot(uri, {
          // Indexes are ensured before traffic by DatabaseReadiness, all at once and awaited.
          autoIndex: false,
          autoCreate: false,
          bufferCommands: false,
          maxPoolSize: 50,
          waitQueueTimeoutMS: 1_000,
          serverSelectionTimeoutMS: 5_000,
          socketTimeoutMS: 20_000,
          retryWrites: true,
          readConcernLevel: 'majority',
          writeConcern: { w: 'majority', journal: true },
          monitorCommands,
          appName: 'shop-platform',
        }),
      ],
      providers: [Transactions, DatabaseReadiness, DatabasePing],
      exports: [Transactions, DatabasePing],
    };
  }
}
