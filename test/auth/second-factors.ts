import { createHmac } from 'node:crypto';
import { type Person, aPerson } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { type TestApp } from '../support/test-app.js';

/** The code that proves an address, in its email. */
export const EMAIL_CODE = /^Subject: Your code for two-factor login$[^]*^(\d{8})$/m;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows now (RFC 4226 and 6238), or the given number of steps of 30 s later. */
export function totp(secret: string, steps = 0): string {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const hash = createHmac('sha1', key).update(counter).digest();
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

export interface ProtectedPerson extends Person {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Creates a person with a second factor. Its current code was not used yet. */
export async function aProtectedPerson(app: TestApp): Promise<ProtectedPerson> {
  const person = await aPerson(app.api);
  const factor = await switchOn(app, person);
  await forgetUsedCodes(app, person);
  return { ...person, ...factor };
}

/** What a setup of a second factor returns. */
export interface Setup {
  readonly secret: string;
  readonly emailCodeSent: boolean;
}

/** The body that confirms a setup: the code of the app, and the latest one from the mailbox if one was sent. */
export async function proofOf(
  { mailbox }: TestApp,
  { secret, emailCodeSent }: Setup,
  email: string,
): Promise<{ code: string; emailCode?: string }> {
  const code = totp(secret);
  return emailCodeSent ? { code, emailCode: (await mailbox.next(email, EMAIL_CODE))[1] ?? '' } : { code };
}

/** Switches a person's second factor on. */
export async function switchOn(
  app: TestApp,
  { email, token, password }: Pick<Person, 'email' | 'token' | 'password'>,
): Promise<{ secret: string; recoveryCodes: readonly string[] }> {
  const { api } = app;
  const setup = expectSuccess<Setup>(await api.post('/auth/second-factor/setup', { password }, { token }));
  const { secret } = setup;
  const confirmed = await api.post('/auth/second-factor/confirm', await proofOf(app, setup, email), { token });
  const { recoveryCodes } = expectSuccess<{ recoveryCodes: string[] }>(confirmed);
  return { secret, recoveryCodes };
}

/** Lets a person's current codes work again, as if the used ones were much older. */
export async function forgetUsedCodes(app: TestApp, { userId }: Person): Promise<void> {
  await inDatabase(app, (database) =>
    database.collection('second_factors').updateOne({ userId: idOf(userId) }, { $set: { lastStep: 0 } }),
  );
}
