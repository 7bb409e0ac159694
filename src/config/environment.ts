import { isIP } from 'node:net';
import { plainToInstance, Transform } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateBy,
  validateSync,
  type ValidationOptions,
} from 'class-validator';

/** The environment as the process was given it: names to texts. */
export type RawEnvironment = Readonly<Record<string, string | undefined>>;

/** Thrown when the service must not start. Names variables, never their values, which may be secrets. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };
const toNumber = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? Number(value) : value));
const toBoolean = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' ? (BOOLEANS[value.toLowerCase()] ?? value) : value,
);

const NODE_ENVIRONMENTS = ['development', 'test', 'production'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Whether a text is a URL of one of these schemes, with a host. */
function IsConnectionUrl(protocols: readonly string[], options: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isConnectionUrl',
      validator: {
        validate: (value: unknown) => {
          if (typeof value !== 'string' || !URL.canParse(value)) return false;
          const { protocol, hostname } = new URL(value);
          return protocols.includes(protocol) && hostname !== '';
        },
      },
    },
    options,
  );
}

const PROXY_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isProxyAddress(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (PROXY_NAMES.has(text)) return true;
  if (version === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** What Express takes as `trust proxy`, but never `true`: then anybody could choose an address. */
function IsProxyTrust(options: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isProxyTrust',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' &&
          (/^\d{1,2}$/.test(value) || value.split(',').every((part) => isProxyAddress(part.trim()))),
      },
    },
    options,
  );
}

/** Every variable that the service reads; `.env.example` documents each. */
export class Environment {
  @IsIn(NODE_ENVIRONMENTS, { message: `must be one of ${NODE_ENVIRONMENTS.join(', ')}` })
  NODE_ENV: (typeof NODE_ENVIRONMENTS)[number] = 'development';

  @toNumber
  @IsInt({ message: 'must be a whole number' })
  @Min(0, { message: 'must be between 0 and 65535' })
  @Max(65535, { message: 'must be between 0 and 65535' })
  PORT = 3000;

  @IsOptional()
  @IsString()
  HOST?: string;

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
  @IsString()
  JWT_SECRET?: string;

  @IsOptional()
  @Matches(/^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/, { message: 'must be 32 bytes in hex or base64' })
  ENCRYPTION_KEY?: string;

  @Matches(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, { message: 'must be a lower-case hostname' })
  PLATFORM_DOMAIN = 'shops.localhost';

  @IsOptional()
  @IsUrl(
    { protocols: ['http', 'https'], require_protocol: true, require_tld: false },
    { message: 'must be an http(s) URL' },
  )
  PUBLIC_URL?: string;

  @IsOptional()
  @IsProxyTrust({ message: 'must be a number of proxies, or a list of addresses and networks' })
  TRUST_PROXY?: string;

  @IsOptional()
  @Matches(/^(\*|https?:\/\/[^\s,]+(\s*,\s*https?:\/\/[^\s,]+)*)$/, {
    message: 'must be * or a comma-separated list of origins',
  })
  CORS_ORIGINS?: string;

  @IsOptional()
  @IsConnectionUrl(['smtp:', 'smtps:'], { message: 'must be an smtp:// or smtps:// URL' })
  SMTP_URL?: string;

  @IsString()
  @MinLength(3, { message: 'must be an address' })
  MAIL_FROM = 'Shop Platform <no-reply@shops.localhost>';

  @IsOptional()
  @toBoolean
  @IsBoolean({ message: 'must be true or false' })
  DEMO?: boolean;

  @IsIn(LOG_LEVELS, { message: `must be one of ${LOG_LEVELS.join(', ')}` })
  LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';

  @toNumber
  @IsNumber({}, { message: 'must be a number' })
  @Min(0.01, { message: 'must be between 0.01 and 100000' })
  @Max(100_000, { message: 'must be between 0.01 and 100000' })
  RATE_LIMIT_FACTOR = 1;
}

const NAMES = [
  'NODE_ENV',
  'PORT',
  'HOST',
  'DATA_DIR',
  'MONGODB_URI',
  'REDIS_URL',
  'JWT_SECRET',
  'ENCRYPTION_KEY',
  'PLATFORM_DOMAIN',
  'PUBLIC_URL',
  'TRUST_PROXY',
  'CORS_ORIGINS',
  'SMTP_URL',
  'MAIL_FROM',
  'DEMO',
  'LOG_LEVEL',
  'RATE_LIMIT_FACTOR',
] as const satisfies readonly (keyof Environment)[];

/** The names of all variables, in the order of the documentation. */
export const ENVIRONMENT_NAMES: readonly string[] = NAMES;

/**
 * Reads and checks the environment. An empty variable counts as absent, as in a shell script's `VAR=`.
 * @throws ConfigurationError listing every variable that is wrong, without its value
 */
export function parseEnvironment(raw: RawEnvironment): Environment {
  const given = Object.fromEntries(
    NAMES.map((name) => [name, raw[name]?.trim()] as const).filter(([, value]) => value !== undefined && value !== ''),
  );
  const environment = plainToInstance(Environment, given, { exposeDefaultValues: true });
  const problems = validateSync(environment, { skipMissingProperties: false });
  if (problems.length > 0) {
    const lines = problems.map(
      ({ property, constraints }) => `${property} ${Object.values(constraints ?? {}).join(', ')}`,
    );
    throw new ConfigurationError(`The configuration is not usable: ${lines.join('; ')}`);
  }
  return environment;
}
