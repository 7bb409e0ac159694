import { plainToInstance, Transform } from 'class-transformer';
import {
  IsBoolean,
  IsByteLength,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  validateSync,
} from 'class-validator';
import { IsConnectionUrl, IsOrigins, IsProxyTrust, IsSender } from './environment-checks.js';
import { type ImageStorage, readImageStorage } from './image-storage.js';
import { type ProviderUrls, readProviderUrls } from './provider-urls.js';
import { DEFAULT_QUOTAS, type Quotas, readQuotas } from '../../domain/limits/quotas.js';

/** The environment of the process: names and values. */
export type RawEnvironment = Readonly<Record<string, string | undefined>>;

/** The service cannot start. The message names variables, never their values, which may be secrets. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };
const readWith = (read: (text: string) => unknown): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? read(value) : value));
const toNumber = readWith(Number);
const toBoolean = readWith((text) => BOOLEANS[text.toLowerCase()] ?? text);
const toQuotas = readWith(readQuotas);
const toImageStorage = readWith((text) => readImageStorage(text) ?? text);
const toProviderUrls = readWith(readProviderUrls);

const REGISTRATIONS = ['open', 'invited', 'closed'] as const;
const NODE_ENVIRONMENTS = ['development', 'test', 'production'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const ENCRYPTION_KEY = /^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/;
const anEncryptionKey = { message: 'must be 32 bytes in hex or base64' };
const aPort = { message: 'must be a whole number from 0 to 65535' };
const aDelay = { message: 'must be a number of seconds from 0 to 300' };
const aRateLimitFactor = { message: 'must be a number from 0.01 to 100000' };
const MEBIBYTE = 2 ** 20;
const aCacheSize = { message: 'must be a whole number of bytes from 1048576 (1 MiB) to 17179869184 (16 GiB)' };
const aTimeLimitFactor = { message: 'must be a number from 1 to 1000' };

/** Every variable that the service reads; `.env.example` documents each. */
export class Environment {
  @IsIn(NODE_ENVIRONMENTS, { message: `must be one of ${NODE_ENVIRONMENTS.join(', ')}` })
  NODE_ENV: (typeof NODE_ENVIRONMENTS)[number] = 'development';

  @toNumber
  @IsInt(aPort)
  @Min(0, aPort)
  @Max(65535, aPort)
  PORT = 3000;

  @IsOptional()
  @IsString()
  HOST?: string;

  @IsOptional()
  @toNumber
  @IsInt(aPort)
  @Min(0, aPort)
  @Max(65535, aPort)
  METRICS_PORT?: number;

  @IsString()
  @MinLength(1, { message: 'must be a folder' })
  DATA_DIR = './data';

  @IsOptional()
  @Matches(/^(embedded$|mongodb(\+srv)?:\/\/)/, { message: 'must be "embedded" or a mongodb:// connection string' })
  MONGODB_URI?: string;

  @IsOptional()
  @IsConnectionUrl(['redis:', 'rediss:'], { message: 'must be a redis:// connection string' })
  REDIS_URL?: string;

  @IsOptional()
  @IsByteLength(32, undefined, { message: 'must have at least 32 bytes' })
  JWT_SECRET?: string;

  @IsOptional()
  @Matches(ENCRYPTION_KEY, anEncryptionKey)
  ENCRYPTION_KEY?: string;

  @IsOptional()
  @Matches(ENCRYPTION_KEY, anEncryptionKey)
  ENCRYPTION_KEY_PREVIOUS?: string;

  @Matches(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, { message: 'must be a hostname in lower case' })
  PLATFORM_DOMAIN = 'shops.localhost';

  @IsOptional()
  @IsUrl(
    {
      ...{ protocols: ['http', 'https'], require_protocol: true, require_tld: false },
      // Other URLs are made by adding a path.
      ...{ disallow_auth: true, allow_query_components: false, allow_fragments: false },
    },
    { message: 'must be an http(s) URL without a user name, a query and a fragment' },
  )
  PUBLIC_URL?: string;

  @IsOptional()
  @IsProxyTrust({ message: 'must be a number of proxies, or a comma-separated list of addresses and networks' })
  TRUST_PROXY?: string;

  @IsOptional()
  @IsOrigins({ message: 'must be * or a comma-separated list of origins' })
  CORS_ORIGINS?: string;

  @IsOptional()
  @IsConnectionUrl(['smtp:', 'smtps:'], { message: 'must be an smtp:// or smtps:// URL, or "none"' }, 'none')
  SMTP_URL?: string;

  @IsSender({ message: 'must be an email address, or a name with one in angle brackets' })
  MAIL_FROM = 'Shop Platform <no-reply@shops.localhost>';

  @IsOptional()
  @IsIn(REGISTRATIONS, { message: `must be one of ${REGISTRATIONS.join(', ')}` })
  REGISTRATION?: (typeof REGISTRATIONS)[number];

  @IsOptional()
  @toBoolean
  @IsBoolean({ message: 'must be true or false' })
  DEMO?: boolean;

  @IsIn(LOG_LEVELS, { message: `must be one of ${LOG_LEVELS.join(', ')}` })
  LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';

  @toNumber
  @IsNumber({}, aRateLimitFactor)
  @Min(0.01, aRateLimitFactor)
  @Max(100_000, aRateLimitFactor)
  RATE_LIMIT_FACTOR = 1;

  @toNumber
  @IsNumber({}, aTimeLimitFactor)
  @Min(1, aTimeLimitFactor)
  @Max(1_000, aTimeLimitFactor)
  TIME_LIMIT_FACTOR = 1;

  @toBoolean
  @IsBoolean({ message: 'must be true or false' })
  ALLOW_PRIVATE_WEBHOOK_TARGETS = false;

  @toQuotas
  @IsObject({ message: 'must be a list of quotas with whole numbers from 1, such as productsPerShop=5000' })
  QUOTAS: Quotas = DEFAULT_QUOTAS;

  @toProviderUrls
  @IsObject({ message: 'must be a list of payment providers and URLs, such as stripe=http://127.0.0.1:4010' })
  PROVIDER_URLS: ProviderUrls = {};

  @IsOptional()
  @toImageStorage
  @IsObject({ message: 'must be https://ACCESS_KEY:SECRET_KEY@HOST/BUCKET?region=REGION, with percent-encoded keys' })
  IMAGE_STORAGE?: ImageStorage;

  @toNumber
  @IsInt(aCacheSize)
  @Min(MEBIBYTE, aCacheSize)
  @Max(16_384 * MEBIBYTE, aCacheSize)
  CATALOGUE_CACHE_BYTES = 64 * MEBIBYTE;

  @IsOptional()
  @toNumber
  @IsNumber({}, aDelay)
  @Min(0, aDelay)
  @Max(300, aDelay)
  SHUTDOWN_DELAY_SECONDS?: number;

  @toBoolean
  @IsBoolean({ message: 'must be true or false' })
  SHOW_VERSION = false;
}

const NAMES = [
  'NODE_ENV',
  'PORT',
  'HOST',
  'METRICS_PORT',
  'DATA_DIR',
  'MONGODB_URI',
  'REDIS_URL',
  'JWT_SECRET',
  'ENCRYPTION_KEY',
  'ENCRYPTION_KEY_PREVIOUS',
  'PLATFORM_DOMAIN',
  'PUBLIC_URL',
  'TRUST_PROXY',
  'CORS_ORIGINS',
  'SMTP_URL',
  'MAIL_FROM',
  'REGISTRATION',
  'DEMO',
  'LOG_LEVEL',
  'RATE_LIMIT_FACTOR',
  'TIME_LIMIT_FACTOR',
  'QUOTAS',
  'PROVIDER_URLS',
  'ALLOW_PRIVATE_WEBHOOK_TARGETS',
  'IMAGE_STORAGE',
  'CATALOGUE_CACHE_BYTES',
  'SHUTDOWN_DELAY_SECONDS',
  'SHOW_VERSION',
] as const satisfies readonly (keyof Environment)[];

/** The names of all variables. */
export const ENVIRONMENT_NAMES: readonly string[] = NAMES;

/** Values from examples. A secret that is published in the examples protects nothing. */
const SAMPLE = /change-?me|sample|example|placeholder|your-|^(.)\1+=?$/i;

/** Names and addresses that lead every client to its own computer. */
const LOCALHOST = /(^|\.)localhost$|^127\.|^0\.0\.0\.0$|^\[::1?\]$/;

/** The addresses that production gives to buyers and shops: links in emails, webhook URLs, storefronts, the sender of emails. */
function addressProblems({ PUBLIC_URL, PLATFORM_DOMAIN, MAIL_FROM, SMTP_URL }: Environment): Problem[] {
  const problems: Problem[] = [];
  if (PUBLIC_URL === undefined) {
    problems.push(['PUBLIC_URL', 'is required in production: the address at which clients reach the service']);
  } else if (LOCALHOST.test(new URL(PUBLIC_URL).hostname)) {
    problems.push(['PUBLIC_URL', 'must not be localhost in production']);
  }
  if (LOCALHOST.test(PLATFORM_DOMAIN)) {
    problems.push(['PLATFORM_DOMAIN', 'must be a domain of your own in production, not localhost']);
  }
  const senderHost = MAIL_FROM.slice(MAIL_FROM.lastIndexOf('@') + 1).replace(/>$/, '');
  if (SMTP_URL !== 'none' && LOCALHOST.test(senderHost.toLowerCase())) {
    problems.push(['MAIL_FROM', 'must be an address of a domain of your own in production, not localhost']);
  }
  return problems;
}

/** What production needs in addition: there the service generates no secrets, and other people use its addresses. */
function productionProblems(environment: Environment): Problem[] {
  const problems = addressProblems(environment);
  if (environment.MONGODB_URI === undefined) {
    problems.push(['MONGODB_URI', 'is required in production: name a replica set, or choose "embedded"']);
  }
  if (environment.SMTP_URL === undefined) {
    problems.push(['SMTP_URL', 'is required in production: name a mail server, or choose "none" to send no emails']);
  }
  if (Object.values(environment.PROVIDER_URLS).some((url) => !url.startsWith('https:'))) {
    problems.push(['PROVIDER_URLS', 'must have https URLs in production']);
  }
  const isPlain = environment.IMAGE_STORAGE?.url.startsWith('http:') ?? false;
  if (isPlain) problems.push(['IMAGE_STORAGE', 'must be an https URL in production']);
  if (environment.ALLOW_PRIVATE_WEBHOOK_TARGETS) {
    problems.push(['ALLOW_PRIVATE_WEBHOOK_TARGETS', 'must not be true in production']);
  }
  for (const name of ['JWT_SECRET', 'ENCRYPTION_KEY'] as const) {
    const value = environment[name];
    if (value === undefined) problems.push([name, 'is required in production']);
    else if (SAMPLE.test(value)) problems.push([name, 'is a sample value; choose your own']);
  }
  return problems;
}

type Problem = readonly [name: string, sentence: string];

function typed(given: RawEnvironment): Environment {
  return plainToInstance(Environment, given, { exposeDefaultValues: true });
}

/**
 * Reads and checks the environment. An empty variable counts as absent, as in a shell script's `VAR=`.
 * @throws ConfigurationError that lists every wrong or missing variable, one on each line, without its value
 */
export function parseEnvironment(raw: RawEnvironment): Environment {
  const given = Object.fromEntries(
    NAMES.map((name) => [name, raw[name]?.trim()] as const).filter(([, value]) => value !== undefined && value !== ''),
  );
  const environment = typed(given);
  const problems = validateSync(environment, { stopAtFirstError: true }).map(({ property, constraints }): Problem => [
    property,
    Object.values(constraints ?? {}).join(', '),
  ]);
  if (environment.NODE_ENV === 'production') {
    const wrong = new Set(problems.map(([name]) => name));
    // Values that cannot be read count as absent here, and their problems are known already.
    const readable = typed(Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name))));
    problems.push(...productionProblems(readable).filter(([name]) => !wrong.has(name)));
  }
  if (problems.length > 0) {
    const lines = problems.map(([name, sentence]) => `  ${name} ${sentence}`);
    throw new ConfigurationError(`These variables are wrong:\n${lines.join('\n')}`);
  }
  return environment;
}
