import { loadAppConfig, readProcessEnvironment } from '../../platform/config/app-config.js';
import { keyId } from '../../platform/crypto/encryption-keys.js';
import { openDatabase } from '../../platform/database/open-database.js';
import { checkDump, readDump } from '../../platform/database/transfer/dump-directory.js';
import { restoreDatabase } from '../../platform/database/transfer/restore-database.js';
import { withClient } from '../../platform/database/transfer/with-client.js';
import { print, printProgress } from './output.js';

/**
 * Fills an empty database from a directory that `backup` or mongodump made. When it is killed, it can run again.
 * @throws TransferError when the database is not empty, or the directory is not complete
 */
export async function restore(directory: string): Promise<void> {
  const config = loadAppConfig(readProcessEnvironment());
  const dump = await readDump(directory);
  await checkDump(dump, printProgress);
  await withClient(await openDatabase(config.mongodbUri, config.dataDir), 'MONGODB_URI', (client) =>
    restoreDatabase(client.db(), dump, printProgress),
  );
  print(`Restored ${dump.collections.length} collections.`);
  const needed = dump.manifest?.encryptionKey;
  if (needed === keyId(config.encryptionKey)) {
    print(
      'ENCRYPTION_KEY is the key of the backup. With another JWT_SECRET than before, everybody has to log in again.',
    );
    return;
  }
  const key = needed === undefined ? 'ENCRYPTION_KEY' : `ENCRYPTION_KEY (id ${needed})`;
  print(`Before you start the service, set ${key} and JWT_SECRET of the service whose backup this is.`);
  print('When they were not set there, copy its DATA_DIR/secrets.json.');
}
