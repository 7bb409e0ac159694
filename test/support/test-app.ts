import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppConfig } from '../../src/infrastructure/config/app-config.js';
import { HOUR_MS } from '../../src/lib/time/durations.js';
import { type RawEnvironment } from '../../src/infrastructure/config/environment.js';
import { startAppProcess } from './app-processes.js';
import { Client } from './client.js';
import { Mailbox } from './mailbox.js';
import { testDatabaseUri } from './test-database.js';

/** A running application: a process, a port, a database and a data directory of its own. */
export interface TestApp {
  readonly api: Client;
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly databaseUri: string;
  readonly mailbox: Mailbox;
  /** Everything that the process wrote so far. */
  output(): string;
  /**
   * Runs something and returns the database commands that it took (`find orders`, `commitTransaction`), without heartbeats, the records of last
   * uses, and the sending of what it added to the outbox.
   */
  commandsOf(work: () => Promise<unknown>): Promise<string[]>;
  /** Like `commandsOf`, and then those of everything that the outbox got, until nothing is left to send. */
  commandsAndFollowUpsOf(work: () => Promise<unknown>): Promise<[commands: string[], followUps: string[]]>;
  /** Runs something and returns how many passwords were hashed or compared for it. */
  hashesOf(work: () => Promise<unknown>): Promise<number>;
  /** Waits until nothing is left to send of what was added to the outbox. */
  idle(): Promise<void>;
  /** Topics whose handlers run twice, and what ran twice so far: topics, of events with their types. */
  repetitions(): Promise<{ readonly repeatable: readonly string[]; readonly repeated: readonly string[] }>;
  /** The bodies (BSON) of the database commands since the start, or since the last call that returned commands. */
  commandBodies(): Promise<Buffer[]>;
  /** How many documents of a collection `update` commands have changed so far, none of them still on its way. */
  modifiedIn(collection: string): Promise<number>;
  /** Ends the process as a power cut would. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** Added to defaults for tests: limits that no spec reaches, also on a slow machine; no sweeps, no demo shop. */
  readonly env?: RawEnvironment;
  /** Settings that no environment variable has. */
  readonly config?: Pick<Partial<AppConfig>, 'dnsServers' | 'sweepIntervalMs' | 'deliveryLeaseMs' | 'passwordCost'>;
  /** To share another application's database. */
  readonly databaseUri?: string;
  /** For `commandsOf`, `commandBodies` and `modifiedIn`. An application whose commands are watched is slower. */
  readonly watchCommands?: boolean;
  /** Runs each handler of the outbox that only writes twice: first in a transaction that is undone. For `repetitions`. */
  readonly repeatHandlers?: boolean;
}

/**
 * The secrets of every application, unless a spec sets its own: applications that share a database read what another has encrypted,
 * and accept its tokens.
 */
export const SECRETS = {
  JWT_SECRET: 'a secret of all specs that is long enough for HS256',
  ENCRYPTION_KEY: 'e5'.repeat(32),
};

/** Addresses where nobody listens: a test never calls a real provider. A spec names those of its own stand-ins. */
const NO_PROVIDERS = ['stripe', 'paypal', 'mercadopago', 'coinbase', 'yookassa', 'mollie'].map(
  (name) => `${name}=http://127.0.0.1:9`,
);

/** Starts the compiled application: real pipeline, real port, real database. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'shop-platform-app-'));
  const databaseUri = options.databaseUri ?? testDatabaseUri();
  // No sweep by default: its commands would appear among those that a spec counts. Real hashes would be a tenth of all work.
  const config = { sweepIntervalMs: HOUR_MS, passwordCost: { memoryKib: 64, passes: 1 }, ...options.config };
  const env = {
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    RATE_LIMIT_FACTOR: '1000',
    TIME_LIMIT_FACTOR: '30',
    QUOTAS: 'openOrdersPerAddress=1000000,openOrdersPerMailbox=1000000,openOrdersPerNickname=1000000',
    DEMO: 'false',
    ...SECRETS,
    ...options.env,
    PROVIDER_URLS: [NO_PROVIDERS, options.env?.['PROVIDER_URLS'] ?? []].flat().join(','),
  };
  const { watchCommands = false, repeatHandlers = false } = options;
  const child = await startAppProcess({ env, config, databaseUri, watchCommands, repeatHandlers });
  const { ask, port } = child;
  const baseUrl = `http://127.0.0.1:${port}`;
  const commandsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    await ask('hold');
    await ask('commands');
    await work();
    const names = (await ask('commands')) as string[];
    await ask('release');
    return names;
  };
  return {
    api: new Client(baseUrl),
    baseUrl,
    dataDir,
    databaseUri,
    mailbox: new Mailbox(join(dataDir, 'mail')),
    output: () => child.output(),
    commandsOf,
    commandsAndFollowUpsOf: async (work) => {
      const commands = await commandsOf(work);
      await ask('idle');
      return [commands, (await ask('commands')) as string[]];
    },
    hashesOf: async (work) => {
      const before = (await ask('hashes')) as number;
      await work();
      return ((await ask('hashes')) as number) - before;
    },
    idle: async () => {
      await ask('idle');
    },
    repetitions: async () => (await ask('repetitions')) as { repeatable: string[]; repeated: string[] },
    commandBodies: async () => ((await ask('commandBodies')) as string[]).map((body) => Buffer.from(body, 'base64')),
    modifiedIn: async (collection) => (await ask('modified', { collection })) as number,
    kill: () => child.kill(),
    close: async () => {
      await child.close({ dropDatabase: options.databaseUri === undefined });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
