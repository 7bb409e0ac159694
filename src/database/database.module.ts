import { type DynamicModule, Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SECOND_MS } from '../common/time/durations.js';
import { endCommandsOfClosedSockets } from './closed-sockets.js';
import { requireConnectionString } from './connection-string.js';
import { DatabaseReadiness } from './database-readiness.js';
import { DatabasePing } from './database-ping.js';
import { COUNTER_SHARD_MODEL, counterShardSchema } from './counter-shard.schema.js';
import { setQueryDefaults } from './query-defaults.js';
import { ShardedCounters } from './sharded-counters.js';
import { Transactions } from './transactions.js';

const POOL_WAIT_MS = 1 * SECOND_MS;
const SERVER_SELECTION_MS = 5 * SECOND_MS;
const SOCKET_TIMEOUT_MS = 20 * SECOND_MS;

/** The address and the time limits of the database. */
export interface DatabaseOptions {
  /** Connection string of a replica set, or of the embedded store. */
  readonly uri: string;
  /** Multiplies every time limit. */
  readonly timeLimitFactor: number;
  /** Whether the driver reports each command, so that a test can count them. */
  readonly monitorCommands: boolean;
}

/** The connection: majority writes, and time limits for every wait. */
@Global()
@Module({})
export class DatabaseModule {
  /** @throws ConfigurationError when the driver cannot read the connection string */
  static forRoot({ uri, timeLimitFactor, monitorCommands }: DatabaseOptions): DynamicModule {
    requireConnectionString(uri);
    setQueryDefaults(timeLimitFactor);
    endCommandsOfClosedSockets();
    return {
      module: DatabaseModule,
      imports: [
        MongooseModule.forRoot(uri, {
          // DatabaseReadiness creates all indexes before the first request.
          autoIndex: false,
          autoCreate: false,
          bufferCommands: false,
          maxPoolSize: 50,
          waitQueueTimeoutMS: POOL_WAIT_MS * timeLimitFactor,
          serverSelectionTimeoutMS: SERVER_SELECTION_MS * timeLimitFactor,
          socketTimeoutMS: SOCKET_TIMEOUT_MS * timeLimitFactor,
          retryWrites: true,
          readConcernLevel: 'majority',
          writeConcern: { w: 'majority', journal: true },
          monitorCommands,
          appName: 'shop-platform',
        }),
        MongooseModule.forFeature([{ name: COUNTER_SHARD_MODEL, schema: counterShardSchema }]),
      ],
      providers: [Transactions, ShardedCounters, DatabaseReadiness, DatabasePing],
      exports: [Transactions, ShardedCounters, DatabasePing],
    };
  }
}
