import { type INestApplicationContext } from '@nestjs/common';
import { isEmail } from 'class-validator';
import { PasswordResetTokensService } from '../../access/auth/password-reset-tokens.service.js';
import { SecondFactorService } from '../../accounts/second-factor/second-factor.service.js';
import { MAX_USER_NAME_LENGTH, type User } from '../../accounts/users/user.types.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { EmailsService } from '../../events/mail/emails.service.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { LANGUAGES } from '../../lib/formats/languages.js';
import { emailAddressOf } from '../../domain/buyers/mailbox.js';
import { MembershipsService } from '../../shops/memberships/memberships.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { withApp } from './operator.js';
import { print, printRow } from './output.js';
import { CommandError } from './problems.js';

const BATCH = 100;

/**
 * Creates an account, whatever `REGISTRATION` says, and prints a link that sets its password. Nobody types a password into a
 * command, where the history of the shell would keep it. For an account that exists it prints a new link, so it can be repeated.
 */
export async function createOwner(address: string, name: string): Promise<void> {
  const email = emailAddressOf(address);
  if (!isEmail(email)) throw new CommandError(`${address} is not an email address.`);
  const length = name.trim().length;
  if (length === 0 || length > MAX_USER_NAME_LENGTH) {
    throw new CommandError(`--name must have 1 to ${MAX_USER_NAME_LENGTH} characters.`);
  }
  await withApp(async (app) => {
    const [users, tokens] = [
      app.get(UsersService, { strict: false }),
      app.get(PasswordResetTokensService, { strict: false }),
    ];
    const existing = await users.findByEmail(email, null);
    const link = await app.get(Transactions, { strict: false }).run(async (transaction) => {
      const account = { email, name: name.trim(), language: LANGUAGES[0], passwordHash: null, knownDevices: [] };
      const { id } = existing ?? (await users.register(account, transaction));
      return (await tokens.issue(id, transaction)).link;
    });
    print(existing === null ? `The account ${email} was created.` : `The account ${email} exists already.`);
    print('Open this link within an hour to set its password. It works once:');
    print(link);
  });
}

/** Lists all accounts, the oldest first. */
export async function listAccounts(): Promise<void> {
  await withApp(async (app) => {
    const [users, memberships] = [
      app.get(UsersService, { strict: false }),
      app.get(MembershipsService, { strict: false }),
    ];
    const secondFactor = app.get(SecondFactorService, { strict: false });
    printRow(['id', 'email', 'name', 'created', 'second factor', 'shops']);
    await each(
      (last) => users.listAfter(last, BATCH),
      async ({ id, email, name, createdAt }) => {
        const { enabled } = await secondFactor.statusOf(id);
        const shops = await memberships.shopIdsOf(id);
        printRow([id, email, name, createdAt.toISOString(), enabled ? 'on' : 'off', String(shops.length)]);
      },
    );
  });
}

/** Lists all shops, the oldest first. */
export async function listShops(): Promise<void> {
  await withApp(async (app) => {
    const [shops, memberships] = [
      app.get(ShopsService, { strict: false }),
      app.get(MembershipsService, { strict: false }),
    ];
    const users = app.get(UsersService, { strict: false });
    printRow(['id', 'unique name', 'name', 'state', 'currency', 'created', 'owners']);
    await each(
      (last) => shops.listAfter(last, BATCH),
      async (shop) => {
        const owners = (await memberships.list(shop.id, null)).filter(({ role }) => role === 'owner');
        const people = await users.byIds(
          owners.map(({ userId }) => userId),
          null,
        );
        const { id, uniqueName, displayName, isActive, currency, createdAt } = shop;
        const addresses = [...people.values()].map(({ email }) => email).join(' ');
        printRow([
          id,
          uniqueName,
          displayName,
          isActive ? 'open' : 'closed',
          currency,
          createdAt.toISOString(),
          addresses,
        ]);
      },
    );
  });
}

/** Switches off the second factor of a person who has lost it. The operator has checked who the person is. */
export async function resetSecondFactor(address: string): Promise<void> {
  await withApp(async (app) => {
    const user = await findUser(app, address);
    await app.get(SecondFactorService, { strict: false }).reset(user);
    print(`The second factor of ${user.email} is off. The password is enough for the next login.`);
    const { areOff } = app.get(EmailsService, { strict: false });
    print(areOff ? 'Tell the person: this service sends no emails.' : 'The person gets an email.');
  });
}

async function findUser(app: INestApplicationContext, address: string): Promise<User> {
  const user = await app.get(UsersService, { strict: false }).findByEmail(emailAddressOf(address), null);
  if (user === null) throw new CommandError(`There is no account with the address ${address}.`);
  return user;
}

/** Goes through a collection in batches. */
async function each<Item extends { readonly id: string }>(
  listAfter: (last: string | null) => Promise<readonly Item[]>,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  let last: string | null = null;
  for (;;) {
    const batch: readonly Item[] = await listAfter(last);
    if (batch.length === 0) return;
    for (const item of batch) await act(item);
    last = batch.at(-1)?.id ?? null;
  }
}
