import { type DynamicModule, Global, Module } from '@nestjs/common';
import { getConnectionToken, MongooseModule } from '@nestjs/mongoose';
import { type Connection } from 'mongoose';
import { SECOND_MS } from '../../lib/time/durations.js';
import { endCommandsOfClosedSockets } from './closed-sockets.js';
import { whenConnected } from './when-connected.js';
import { requireConnectionString } from './connection-string.js';
import { DatabaseReadiness } from './database-readiness.js';
import { DURABLE } from './durable.js';
import { DatabaseInspection } from './database-inspection.js';
import { DatabasePing } from './database-ping.js';
import { COUNTER_SHARD_MODEL, counterShardSchema } from './counter-shard.schema.js';
import { setQueryDefaults } from './query-defaults.js';
import { ShardedCounters } from './sharded-counters.js';
import { SealedRecordsRegistry } from './sealed-records.js';
import { Transactions } from './transactions.js';

const POOL_WAIT_MS = 1 * SECOND_MS;
const SERVER_SELECTION_MS = 5 * SECOND_MS;
const SOCKET_TIMEOUT_MS = 20 * SECOND_MS;
/**
 * The driver gives up a server, and the commands that wait for it, when a heartbeat has no response for both together. So a
 * database that is silent but does not close its connections is noticed within six seconds.
 */
const CONNECT_TIMEOUT_MS = 5 * SECOND_MS;
const HEARTBEAT_MS = 1 * SECOND_MS;
/** An attempt takes up to `SERVER_SELECTION_MS`, so the start ends after about five minutes without a database. */
const CONNECTION_ATTEMPTS = 30;
const ATTEMPT_DELAY_MS = 5 * SECOND_MS;

/** The address and the time limits of the database. */
export interface DatabaseOptions {
  /** Connection string of a replica set, or of the embedded store. */
  readonly uri: string;
  /** Multiplies every time limit. */
  readonly timeLimitFactor: number;
  /** Whether the driver reports each command, so that a test can count them. */
  readonly monitorCommands: boolean;
  /** Whether the start runs pending migrations. Otherwise they are an error. */
  readonly migrates: boolean;
}

/** The connection: majority writes, and time limits for every wait. */
@Global()
@Module({})
export class DatabaseModule {
  /** @throws ConfigurationError when the driver cannot read the connection string */
  static forRoot({ uri, timeLimitFactor, monitorCommands, migrates }: DatabaseOptions): DynamicModule {
    requireConnectionString(uri);
    setQueryDefaults(timeLimitFactor);
    endCommandsOfClosedSockets();
    return {
      module: DatabaseModule,
      imports: [
        MongooseModule.forRoot(uri, {
          ...DURABLE,
          // DatabaseReadiness creates all indexes before the first request.
          autoIndex: false,
          autoCreate: false,
          bufferCommands: false,
          maxPoolSize: 50,
          waitQueueTimeoutMS: POOL_WAIT_MS * timeLimitFactor,
          serverSelectionTimeoutMS: SERVER_SELECTION_MS * timeLimitFactor,
          connectTimeoutMS: CONNECT_TIMEOUT_MS * timeLimitFactor,
          heartbeatFrequencyMS: HEARTBEAT_MS,
          socketTimeoutMS: SOCKET_TIMEOUT_MS * timeLimitFactor,
          monitorCommands,
          // `whenConnected` waits for the connection instead, so that the line of a failed attempt names the host.
          lazyConnection: true,
          connectionFactory: whenConnected,
          retryAttempts: CONNECTION_ATTEMPTS,
          retryDelay: ATTEMPT_DELAY_MS,
          verboseRetryLog: true,
        }),
        MongooseModule.forFeature([{ name: COUNTER_SHARD_MODEL, schema: counterShardSchema }]),
      ],
      providers: [
        Transactions,
        SealedRecordsRegistry,
        ShardedCounters,
        DatabasePing,
        DatabaseInspection,
        {
          provide: DatabaseReadiness,
          useFactory: (connection: Connection) => new DatabaseReadiness(connection, uri, DURABLE, migrates),
          inject: [getConnectionToken()],
        },
      ],
      exports: [Transactions, SealedRecordsRegistry, ShardedCounters, DatabasePing, DatabaseInspection],
    };
  }
}
