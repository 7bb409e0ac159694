import { text } from 'node:stream/consumers';
import { loadProcessConfig } from '../../infrastructure/config/app-config.js';
import { openDatabase } from '../../infrastructure/database/open-database.js';
import { copyDatabase } from '../../infrastructure/database/transfer/copy-database.js';
import { withClient } from '../../infrastructure/database/transfer/with-client.js';
import { print, printProgress } from './output.js';
import { CommandError } from './problems.js';

export interface CopyOptions {
  /**
   * `embedded`, the connection string of a replica set, or `-` to read it from standard input: everybody on the machine can see the
   * arguments of a process, and it has a password.
   */
  readonly to: string;
  /** Whether the operator has stopped every process that writes to the source. */
  readonly stopped: boolean;
}

/**
 * Copies the configured database to another one, and compares both. When it was killed, it continues where it was.
 *
 * The embedded store belongs to this process meanwhile, so no service can write to it. Nobody can see who writes to a MongoDB.
 * @throws CommandError when something else may write to the source, or it is the target
 */
export async function copy({ to, stopped }: CopyOptions): Promise<void> {
  const targetUri = to === '-' ? (await text(process.stdin)).trim() : to;
  const { mongodbUri, dataDir } = loadProcessConfig();
  if (targetUri === mongodbUri) throw new CommandError('--to is the database that MONGODB_URI names already.');
  if (mongodbUri !== 'embedded' && !stopped) {
    throw new CommandError(
      'Stop every process of the service, and confirm it with --stopped: what it writes meanwhile would be lost.',
    );
  }
  await withClient(await openDatabase(mongodbUri, dataDir), 'MONGODB_URI', async (source) =>
    withClient(await openDatabase(targetUri, dataDir), '--to', (target) =>
      copyDatabase(source.db(), target.db(), printProgress),
    ),
  );
  print('Everything was copied, and both databases are equal.');
  print(
    'Set MONGODB_URI to the new database and start the service. Keep the old one until you have checked the new one.',
  );
  print('JWT_SECRET and ENCRYPTION_KEY stay as they are. When they are not set, keep DATA_DIR/secrets.json.');
}
