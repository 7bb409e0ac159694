import { resolve } from 'node:path';
import { loadProcessConfig } from '../../infrastructure/config/app-config.js';
import { joinDatabase } from '../../infrastructure/database/open-database.js';
import { backupDatabase } from '../../infrastructure/database/transfer/backup-database.js';
import { withClient } from '../../infrastructure/database/transfer/with-client.js';
import { print, printProgress } from './output.js';

/** Writes everything that the configured database has at this moment to a new directory. The service may be running. */
export async function backup(directory: string): Promise<void> {
  const config = loadProcessConfig();
  await withClient(await joinDatabase(config.mongodbUri, config.dataDir), 'MONGODB_URI', (client) =>
    backupDatabase(client, directory, printProgress),
  );
  print(`The backup is in ${resolve(directory)}.`);
  print('It has no secrets. Keep JWT_SECRET and the encryption keys apart from it.');
  print('When they are not set, they are in DATA_DIR/secrets.json.');
}
