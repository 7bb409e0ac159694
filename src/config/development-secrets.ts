import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from './environment.js';

/** Secrets that a development or demo installation has generated. */
export interface DevelopmentSecrets {
  readonly jwtSecret: string;
  /** 32 bytes in base64. */
  readonly encryptionKey: string;
}

function read(file: string): DevelopmentSecrets {
  try {
    const { jwtSecret, encryptionKey } = (JSON.parse(readFileSync(file, 'utf8')) ?? {}) as Partial<DevelopmentSecrets>;
    if (typeof jwtSecret === 'string' && typeof encryptionKey === 'string') return { jwtSecret, encryptionKey };
  } catch (error) {
    // The message of a syntax error contains a part of the file.
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new ConfigurationError(
    `${file} is damaged. Restore it from a backup: it has the key of the stored credentials`,
  );
}

/**
 * The secrets in `DATA_DIR/secrets.json`, generated at the first start (readable only by the owner). They are kept, because the
 * service could not read the stored provider credentials with a new encryption key.
 */
export function developmentSecrets(dataDir: string): DevelopmentSecrets {
  const file = join(dataDir, 'secrets.json');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const made: DevelopmentSecrets = {
    jwtSecret: randomBytes(48).toString('base64url'),
    encryptionKey: randomBytes(32).toString('base64'),
  };
  try {
    // 'wx' fails when the file exists. When two processes start at once, the second one reads what the first one wrote.
    writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return read(file);
  }
}
