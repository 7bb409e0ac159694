import { resolve } from 'node:path';
import { MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';
import { readEnvFile, unknownVariables } from './env-file.js';
import { developmentSecrets } from './development-secrets.js';
import { entriesOf } from './environment-checks.js';
import { ConfigurationError, type Environment, parseEnvironment, type RawEnvironment } from './environment.js';
import { type ImageStorage } from './image-storage.js';
import { type ProviderUrls } from './provider-urls.js';
import { type Quotas } from '../../domain/limits/quotas.js';

/** The settings of one process. The class is also the token under which Nest injects them: `constructor(config: AppConfig)`. */
export abstract class AppConfig {
  abstract readonly environment: Environment['NODE_ENV'];
  abstract readonly port: number;
  abstract readonly host: string;
  /** Where metrics are served; null: nowhere. */
  abstract readonly metricsPort: number | null;
  /** Absolute path of the folder that holds the embedded store, development secrets and emails. */
  abstract readonly dataDir: string;
  /** `embedded`, or the connection string of a MongoDB replica set. */
  abstract readonly mongodbUri: string;
  abstract readonly redisUrl: string | null;
  abstract readonly jwtSecret: string;
  /** The key (32 bytes) that encrypts or hashes what is stored. */
  abstract readonly encryptionKey: Buffer;
  /** The key before the last change, which only decrypts; null: absent. */
  abstract readonly previousEncryptionKey: Buffer | null;
  abstract readonly platformDomain: string;
  /** The address of the service for its clients, without a trailing slash; null: the address that it listens on. */
  abstract readonly publicUrl: string | null;
  /** Express' `trust proxy`: how many proxies, or which addresses, may name the client's address. */
  abstract readonly trustProxy: number | string | false;
  abstract readonly corsOrigins: '*' | readonly string[];
  /** `smtp://` or `smtps://`: the mail server. `files`: emails are written to `dataDir`. `none`: there are no emails. */
  abstract readonly mailServer: string;
  abstract readonly mailFrom: string;
  /** Who can create an account: everybody, people with an invitation to a team, or nobody. */
  abstract readonly registration: NonNullable<Environment['REGISTRATION']>;
  /** Whether an empty store gets the demo shop. */
  abstract readonly demo: boolean;
  abstract readonly logLevel: Environment['LOG_LEVEL'];
  abstract readonly rateLimitFactor: number;
  /** Multiplies the time limits of requests and database commands. */
  abstract readonly timeLimitFactor: number;
  /** How many of something one person or one shop may have. */
  abstract readonly quotas: Quotas;
  /** Other addresses of the APIs of payment providers, for tests and sandboxes. */
  abstract readonly providerUrls: ProviderUrls;
  /** Where the files of images are kept; null: in the database. */
  abstract readonly imageStorage: ImageStorage | null;
  /** Whether webhooks may be sent to this computer and private networks, and without TLS. */
  abstract readonly allowPrivateWebhookTargets: boolean;
  /** How much memory the process keeps for snapshots of what shops sell, in bytes. */
  abstract readonly catalogueCacheBytes: number;
  /** How long after SIGTERM the service still accepts requests. */
  abstract readonly shutdownDelayMs: number;
  /** Whether everybody can read the version of the service. */
  abstract readonly showVersion: boolean;
  /** How often expired records, such as unpaid orders, are searched for, in milliseconds. */
  abstract readonly sweepIntervalMs: number;
  /** How long a plugin has a delivery before it can be leased again, in milliseconds. */
  abstract readonly deliveryLeaseMs: number;
  /** Name servers (`ip:port`) to use instead of the system's; empty: the system's. */
  abstract readonly dnsServers: readonly string[];
  /** What a hash of a password (argon2id) costs: the memory in KiB, and how often all of it is passed over. */
  abstract readonly passwordCost: { readonly memoryKib: number; readonly passes: number };
}

/** No operator needs other values, so no variable sets them. Specs inject others, so that they need not wait. */
const FIXED = {
  sweepIntervalMs: 30 * SECOND_MS,
  deliveryLeaseMs: 2 * MINUTE_MS,
  dnsServers: [],
  // What OWASP recommends for argon2id.
  passwordCost: { memoryKib: 19_456, passes: 2 },
} satisfies Partial<AppConfig>;
const PRODUCTION_SHUTDOWN_DELAY_SECONDS = 5;

function decodeKey(text: string): Buffer {
  return text.length === 64 ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
}

function trustProxyOf(value: string | undefined): AppConfig['trustProxy'] {
  if (value === undefined) return false;
  return /^\d+$/.test(value) ? Number(value) : value;
}

/** The origins as browsers send them: the host in lower case and punycode, and no usual port. */
function originsOf(value: string | undefined): AppConfig['corsOrigins'] {
  if (value === undefined) return [];
  return value === '*' ? '*' : entriesOf(value).map((origin) => new URL(origin).origin);
}

/**
 * Turns an environment into settings. Outside of production, missing secrets are generated and kept in `DATA_DIR`.
 * @throws ConfigurationError that lists every wrong or missing variable
 */
export function loadAppConfig(raw: RawEnvironment): AppConfig {
  const environment = parseEnvironment(raw);
  const production = environment.NODE_ENV === 'production';
  const dataDir = resolve(environment.DATA_DIR);
  const made =
    environment.JWT_SECRET === undefined || environment.ENCRYPTION_KEY === undefined
      ? developmentSecrets(dataDir)
      : null;
  return {
    ...FIXED,
    environment: environment.NODE_ENV,
    port: environment.PORT,
    // A development service has generated secrets and a demo password, so only this computer may reach it.
    host: environment.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    metricsPort: environment.METRICS_PORT ?? null,
    dataDir,
    mongodbUri: environment.MONGODB_URI ?? 'embedded',
    redisUrl: environment.REDIS_URL ?? null,
    jwtSecret: environment.JWT_SECRET ?? made?.jwtSecret ?? '',
    encryptionKey: decodeKey(environment.ENCRYPTION_KEY ?? made?.encryptionKey ?? ''),
    previousEncryptionKey:
      environment.ENCRYPTION_KEY_PREVIOUS === undefined ? null : decodeKey(environment.ENCRYPTION_KEY_PREVIOUS),
    platformDomain: environment.PLATFORM_DOMAIN,
    publicUrl: environment.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    trustProxy: trustProxyOf(environment.TRUST_PROXY),
    corsOrigins: originsOf(environment.CORS_ORIGINS),
    mailServer: environment.SMTP_URL ?? 'files',
    mailFrom: environment.MAIL_FROM,
    registration: environment.REGISTRATION ?? (production ? 'invited' : 'open'),
    demo: !production && (environment.DEMO ?? true),
    logLevel: environment.LOG_LEVEL,
    rateLimitFactor: environment.RATE_LIMIT_FACTOR,
    timeLimitFactor: environment.TIME_LIMIT_FACTOR,
    quotas: environment.QUOTAS,
    providerUrls: environment.PROVIDER_URLS,
    imageStorage: environment.IMAGE_STORAGE ?? null,
    allowPrivateWebhookTargets: environment.ALLOW_PRIVATE_WEBHOOK_TARGETS,
    catalogueCacheBytes: environment.CATALOGUE_CACHE_BYTES,
    // A developer who stops the service does not want to wait.
    shutdownDelayMs:
      (environment.SHUTDOWN_DELAY_SECONDS ?? (production ? PRODUCTION_SHUTDOWN_DELAY_SECONDS : 0)) * SECOND_MS,
    showVersion: environment.SHOW_VERSION,
  };
}

/**
 * Reads the settings of this process from its environment, with the variables of a `.env` file in the working directory as defaults.
 * @throws ConfigurationError as `loadAppConfig`, which also names what `.env` sets and nobody reads: a mistyped name looks like a missing
 * variable; or as `readEnvFile`
 */
export function loadProcessConfig(): AppConfig {
  const file = readEnvFile();
  try {
    return loadAppConfig({ ...file, ...process.env });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError([error.message, ...unknownVariables(file)].join('\n'));
  }
}
