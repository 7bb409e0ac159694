import { MIGRATIONS } from '../../infrastructure/database/migrations/all-migrations.js';
import { migrateAt } from '../../infrastructure/database/migrations/migrate.js';
import { operatorConfig, withAppOn, withDatabase } from './operator.js';
import { print, printProgress } from './output.js';

/** Brings the configured database to the schema of this version. Processes of the version before can serve meanwhile. */
export async function migrateDatabase(): Promise<void> {
  const config = operatorConfig();
  await withDatabase(config, async (databaseUri) => {
    await migrateAt(databaseUri, MIGRATIONS, printProgress);
    printProgress('Creating missing indexes');
    // A start creates them.
    await withAppOn(databaseUri, config, () => Promise.resolve());
  });
  print(`The database has the schema of this version (migration ${MIGRATIONS.length}).`);
}
