import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigurationError, parseEnvironment } from './environment.js';

/** Secrets that a development or demo installation has generated. */
export interface DevelopmentSecrets {
  readonly jwtSecret: string;
  /** 32 bytes in base64. */
  readonly encryptionKey: string;
}

/**
 * The secrets in `DATA_DIR/secrets.json`, generated at the first start (readable only by the owner). They are kept, because the
 * service could not read the stored provider credentials with a new encryption key.
 * @throws ConfigurationError when the file is damaged, or the folder cannot be used
 */
export function developmentSecrets(dataDir: string): DevelopmentSecrets {
  const file = join(dataDir, 'secrets.json');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // Not made each time: a folder that has the file may be read-only.
    if (!existsSync(file)) make(file);
    // Also after `make`: when two processes start at once, both use what the faster one has made.
    return read(file);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    const reason = (error as Error).message;
    throw new ConfigurationError(`DATA_DIR: ${dataDir} cannot be the data folder: ${reason}`, { cause: error });
  }
}

/**
 * Writes new secrets to the file, unless it exists. The file gets its name only when its content is on the disk. So neither a
 * full disk nor a power failure leaves half a file, and another process that starts now reads all of it or none.
 */
function make(file: string): void {
  const made: DevelopmentSecrets = {
    jwtSecret: randomBytes(48).toString('base64url'),
    encryptionKey: randomBytes(32).toString('base64'),
  };
  const partial = `${file}.${randomUUID()}.part`;
  try {
    writeFileSync(partial, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
    // A rename would replace the file of a faster process, which uses it already. The embedded store needs hard links here too.
    linkSync(partial, file);
    sync(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(partial, { force: true });
  }
}

/** Without this, a power failure could take away the name of a new file. Windows can neither do it nor needs it. */
function sync(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function read(file: string): DevelopmentSecrets {
  const secrets = secretsIn(readFileSync(file, 'utf8'));
  if (secrets !== null) return secrets;
  throw new ConfigurationError(
    `${file} is damaged. Restore it from a backup: it has the key of the stored credentials`,
  );
}

/** Null: the content is no secrets that the environment would accept. */
function secretsIn(text: string): DevelopmentSecrets | null {
  try {
    const { jwtSecret, encryptionKey } = (JSON.parse(text) ?? {}) as Partial<Record<string, unknown>>;
    if (typeof jwtSecret !== 'string' || typeof encryptionKey !== 'string') return null;
    const { JWT_SECRET, ENCRYPTION_KEY } = parseEnvironment({ JWT_SECRET: jwtSecret, ENCRYPTION_KEY: encryptionKey });
    // An empty variable counts as absent.
    if (JWT_SECRET === undefined || ENCRYPTION_KEY === undefined) return null;
    return { jwtSecret: JWT_SECRET, encryptionKey: ENCRYPTION_KEY };
  } catch (error) {
    // Neither error is shown: one names variables that nobody has set, the other contains a part of the file.
    if (error instanceof ConfigurationError || error instanceof SyntaxError) return null;
    throw error;
  }
}
