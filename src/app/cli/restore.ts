import { loadProcessConfig } from '../../infrastructure/config/app-config.js';
import { keyIds } from '../../lib/crypto/encryption-keys.js';
import { openDatabase } from '../../infrastructure/database/open-database.js';
import {
  checkDump,
  type Dump,
  readDocuments,
  readDump,
} from '../../infrastructure/database/transfer/dump-directory.js';
import { restoreDatabase } from '../../infrastructure/database/transfer/restore-database.js';
import { withClient } from '../../infrastructure/database/transfer/with-client.js';
import { STORED_KEYS_COLLECTION, type StoredKeysRecord } from '../key-rotation/stored-keys.types.js';
import { print, printProgress } from './output.js';

export interface RestoreOptions {
  /** Whether the backup is only checked. Then the database is not opened. */
  readonly check: boolean;
}

/**
 * Fills an empty database from a directory that `backup` or mongodump made. When it is killed, it can run again.
 * @throws TransferError when the database is not empty, or the directory is not complete
 */
export async function restore(directory: string, { check }: RestoreOptions): Promise<void> {
  const config = check ? null : loadProcessConfig();
  const dump = await readDump(directory);
  await checkDump(dump, printProgress);
  const keys = await keysOf(dump);
  if (config === null) {
    const madeAt = dump.manifest === null ? '' : ` It was made at ${dump.manifest.createdAt}.`;
    const needed = keys.length === 0 ? '' : ` It needs the encryption key ${keys.join(' and the key ')}.`;
    print(`The backup is complete: ${dump.collections.length} collections.${madeAt}${needed}`);
    return;
  }
  await withClient(await openDatabase(config.mongodbUri, config.dataDir), 'MONGODB_URI', (client) =>
    restoreDatabase(client.db(), dump, printProgress),
  );
  print(`Restored ${dump.collections.length} collections.`);
  const missing = keys.filter((id) => !keyIds(config).includes(id));
  if (missing.length === 0) {
    print(
      'The encryption keys of the backup are set. With another JWT_SECRET than before, everybody has to log in again.',
    );
    return;
  }
  print(
    `Before you start the service, set the encryption key ${missing.join(' and the key ')}, and JWT_SECRET of the service whose backup this is.`,
  );
  print('When they were not set there, copy its DATA_DIR/secrets.json.');
}

/** The ids of the encryption keys that the data of a backup needs. */
async function keysOf(dump: Dump): Promise<readonly string[]> {
  const records = await readDocuments<StoredKeysRecord>(dump, STORED_KEYS_COLLECTION);
  return records.flatMap(({ keyIds: ids }) => ids);
}
