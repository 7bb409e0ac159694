import { Command, Option } from 'commander';
import { type ErasureRequest, RUNNING_CHOICES } from '../buyers/buyer.types.js';
import { type CopyOptions } from './copy.js';
import { type RestoreOptions } from './restore.js';

/**
 * All commands. Each one loads its code only when it runs: the service takes a second to load, and help and wrong arguments need
 * nothing of it.
 */
export function program(): Command {
  const shop = new Command('shop')
    .description(
      'Commands for the operator of a Shop Platform. They read the same environment and .env as the service.',
    )
    .showHelpAfterError('(--help lists the commands and their arguments)');

  shop
    .command('create-owner <email>')
    .description('Create an account that can open shops, and print a link that sets its password')
    .option('--name <name>', 'the name that other team members see', 'Owner')
    .action(async (email: string, { name }: { name: string }) =>
      (await import('./accounts.js')).createOwner(email, name),
    );
  shop
    .command('accounts')
    .description('List all accounts')
    .action(async () => (await import('./accounts.js')).listAccounts());
  shop
    .command('shops')
    .description('List all shops and their owners')
    .action(async () => (await import('./accounts.js')).listShops());
  shop
    .command('reset-second-factor <email>')
    .description('Switch off the second factor of a person who has lost it')
    .action(async (email: string) => (await import('./accounts.js')).resetSecondFactor(email));
  shop
    .command('backup <directory>')
    .description('Write everything that the database has at this moment to a new directory, in the format of mongodump')
    .action(async (directory: string) => (await import('./backup.js')).backup(directory));
  shop
    .command('restore <directory>')
    .description('Fill an empty database from a directory that backup or mongodump made')
    .option('--check', 'only read the directory, and say whether it is complete', false)
    .action(async (directory: string, options: RestoreOptions) =>
      (await import('./restore.js')).restore(directory, options),
    );
  shop
    .command('copy')
    .description('Copy the database to another one and compare both, with the service stopped')
    .requiredOption(
      '--to <uri>',
      'the connection string of a replica set, - to read it from standard input, or embedded for the store in DATA_DIR',
    )
    .option('--stopped', 'confirms that no service uses the MongoDB that is copied', false)
    .action(async (options: CopyOptions) => (await import('./copy.js')).copy(options));
  shop
    .command('rotate-encryption-key')
    .description('Encrypt everything again with ENCRYPTION_KEY')
    .action(async () => (await import('./encryption-key.js')).rotateEncryptionKey());
  shop
    .command('accept-encryption-key')
    .description('Start with ENCRYPTION_KEY from now on, although the key that encrypted the stored data is lost')
    .action(async () => (await import('./encryption-key.js')).acceptEncryptionKey());
  shop
    .command('rebuild-stats [shopIds...]')
    .description('Compute the statistics of shops again; of all shops without an id')
    .action(async (shopIds: string[]) => (await import('./statistics.js')).rebuildStatistics(shopIds));
  addChecksAndBuyers(shop);
  return shop;
}

/** What concerns buyers, and whether all is well. */
function addChecksAndBuyers(shop: Command): void {
  shop
    .command('order <id-or-number>')
    .description('Tell the whole story of an order: payments, refunds, deliveries, emails')
    .option('--shop <id-or-name>', 'the id or the unique name of the shop; a number needs it')
    .action(async (order: string, options: { shop?: string }) =>
      (await import('./order.js')).tellOrder(order, options.shop),
    );
  shop
    .command('export-buyer <email-or-nickname>')
    .description('Print everything that a shop has stored about a buyer, as JSON')
    .requiredOption('--shop <id-or-name>', 'the id or the unique name of the shop')
    .action(async (buyer: string, options: { shop: string }) =>
      (await import('./buyers.js')).exportBuyer(buyer, options.shop),
    );
  shop
    .command('erase-buyer <email-or-nickname>')
    .description('Replace the identity of a buyer of a shop by keyed hashes; amounts stay, and bans still hit')
    .requiredOption('--shop <id-or-name>', 'the id or the unique name of the shop')
    .requiredOption('--reason <reason>', 'for the audit log of the shop')
    .addOption(
      new Option('--running <choice>', 'whether what is still to run keeps the nickname, or does not run').choices(
        RUNNING_CHOICES,
      ),
    )
    .action(async (buyer: string, { shop: id, ...request }: { shop: string } & ErasureRequest) =>
      (await import('./buyers.js')).eraseBuyer(buyer, id, request),
    );
  shop
    .command('doctor')
    .description('Check the configuration, the database and what else the service needs; each line says what to do')
    .option('--json', 'print the result as JSON')
    .action(async ({ json = false }: { json?: boolean }) => (await import('./doctor/doctor.js')).runDoctor(json));
  shop
    .command('migrate')
    .description('Bring the database to the schema of this version')
    .action(async () => (await import('./migrate.js')).migrateDatabase());
}
