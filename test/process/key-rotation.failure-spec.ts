import { type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Collection, type Document, ObjectId } from 'mongodb';
import { keyId } from '../../src/lib/crypto/encryption-keys.js';
import { SecretBox } from '../../src/lib/crypto/secret-box.js';
import { aProtectedPerson, forgetUsedCodes, type ProtectedPerson, totp } from '../auth/second-factors.js';
import { aSellingShop, payment, type SellingShop, sendCustom, sendStripe } from '../payments/senders.js';
import { anOrder, type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { idOf, type Records, recordsOf } from '../support/records.js';
import { operatorEnvironment, runShopCommand, startShopCommand } from '../support/shop-command.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

const [A, B] = [Buffer.alloc(32, 21), Buffer.alloc(32, 22)];
const [ONLY_A, BOTH, ONLY_B] = [[A], [B, A], [B]] as const;
/** More than one batch of the script. */
const MANY = 150;
/** Two neighbours in its first batch. */
const [ONE, NEXT] = [50, 51] as const;

const HOOK = { url: 'https://example.com/hook', events: ['*'], isActive: false };

const databaseUri = testDatabaseUri();
let records: Records;
let factors: Collection;
let app: TestApp;
let shop: SellingShop;
let person: ProtectedPerson;
const orderKey = randomUUID();
let order: Document;

const environment = ([current, previous]: readonly Buffer[]): Record<string, string> => ({
  ENCRYPTION_KEY: current?.toString('hex') ?? '',
  ENCRYPTION_KEY_PREVIOUS: previous?.toString('hex') ?? '',
});
const boxWith = (key: Buffer): SecretBox =>
  new SecretBox({ encryptionKey: key, previousEncryptionKey: null }, 'second-factors');

async function restart(keys: readonly Buffer[]): Promise<void> {
  await app.close();
  app = await startTestApp({ databaseUri, env: environment(keys) });
}

function startScript(keys: readonly Buffer[]): ChildProcess {
  return startShopCommand(['rotate-encryption-key'], operatorEnvironment(app, environment(keys)));
}

async function ended(script: ChildProcess): Promise<{ code: unknown; text: string }> {
  let text = '';
  script.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = await once(script, 'close');
  return { code, text };
}

/** Second factors of people that do not exist, encrypted with the first key. */
async function manySecondFactors(): Promise<ObjectId[]> {
  const box = boxWith(A);
  const made = Array.from({ length: MANY }, () => {
    const userId = new ObjectId();
    const sealedSecret = box.seal('ABCDEFGHIJKLMNOP', userId.toHexString());
    const codes = { recoveryHashes: [], sealedRecoveryKey: box.seal('key', `${userId.toHexString()}/recovery-codes`) };
    return { userId, sealedSecret, enabledAt: new Date(), pendingUntil: null, lastStep: 0, ...codes };
  });
  return Object.values((await factors.insertMany(made)).insertedIds);
}

async function login({ email, password }: ProtectedPerson, code: string): Promise<void> {
  const first = await app.api.post('/auth/login', { email, password });
  const { token } = expectSuccess<{ secondFactor: { token: string } }>(first).secondFactor;
  expectSuccess(await app.api.post('/auth/login/second-factor', { token, code }), 'Logged in');
}

/** What each key must keep working: both ways to sign a webhook, the second factor, and the URL of an outgoing webhook. */
async function everythingWorks(): Promise<void> {
  const newOrder = (): Promise<TestOrder> => anOrder(app.api, shop.shopId, shop.orderRequest);
  const [first, second] = [await newOrder(), await newOrder()];
  expectSuccess(await sendCustom(app.api, shop.custom, payment(first)));
  const session = { id: `cs_${second.id}`, object: 'checkout.session', payment_status: 'paid', currency: 'eur' };
  const paid = { ...session, amount_total: 1999, payment_intent: `pi_${second.id}`, client_reference_id: second.id };
  expectSuccess(await sendStripe(app.api, shop.stripe, 'checkout.session.completed', paid));
  const ids = [first, second].map(({ id }) => idOf(id));
  const states = await records.db
    .collection('orders')
    .find({ _id: { $in: ids } })
    .toArray();
  expect(states.map(({ paymentStatus }) => paymentStatus as unknown)).toEqual(['paid', 'paid']);
  const { token } = shop.owner;
  const [hook] = expectSuccess<{ url: string }[]>(await app.api.get(`/webhooks/${shop.shopId}`, { token }));
  expect(hook?.url).toBe(HOOK.url);
  await forgetUsedCodes(app, person);
  await login(person, totp(person.secret));
  const [code = '', ...left] = person.recoveryCodes;
  person = { ...person, recoveryCodes: left };
  await login(person, code);
}

/** The service does not start with these keys, because it needs another one too. */
async function expectRefusal(keys: readonly Buffer[], missing: Buffer): Promise<void> {
  const { code, stderr } = await runShopCommand(['accounts'], operatorEnvironment(app, environment(keys)));
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(`but the stored data is encrypted with the key ${keyId(missing)}: set that one`),
  });
}

/** Places the order of this spec. Every call after the first one must get the first response again. */
async function repeatOrder(): Promise<Document> {
  const { productId, serverId } = shop.orderRequest;
  const body = { items: [{ productId, quantity: 1 }], serverId, nickname: 'Steve_42', email: 'steve@example.com' };
  const headers = { 'Idempotency-Key': orderKey };
  return expectSuccess<Document>(await app.api.post(`/checkout/${shop.shopId}/orders`, body, { headers }));
}

/** Everything in the database that is encrypted. */
async function sealedValues(): Promise<string[]> {
  const found: string[] = [];
  const look = (value: unknown, name = ''): void => {
    if (typeof value === 'string' && name.startsWith('sealed') && value !== '') found.push(value);
    else if (Array.isArray(value)) value.forEach((one) => look(one, name));
    else if (value !== null && typeof value === 'object') {
      for (const [key, one] of Object.entries(value)) look(one, key);
    }
  };
  for (const { collectionName } of await records.db.collections()) {
    for (const document of await records.db.collection(collectionName).find().toArray()) look(document);
  }
  return found;
}

const encryptedWith = async (id: ObjectId, key: Buffer): Promise<boolean> =>
  String((await factors.findOne({ _id: id }))?.['sealedSecret']).startsWith(`${keyId(key)}.`);

/** Whether the script has encrypted a record again. Fails when it has ended. */
async function reached(script: ChildProcess, id: ObjectId): Promise<boolean> {
  if (script.exitCode !== null) throw new Error(`the script ended with ${script.exitCode}`);
  return encryptedWith(id, B);
}

beforeAll(async () => {
  app = await startTestApp({ databaseUri, env: environment(ONLY_A) });
  records = await recordsOf(app);
  factors = records.db.collection('second_factors');
  shop = await aSellingShop(app.api);
  person = await aProtectedPerson(app);
  order = await repeatOrder();
  const { shopId, owner } = shop;
  expectSuccess(await app.api.post(`/webhooks/${shopId}`, HOOK, { token: owner.token }));
});
afterAll(async () => {
  await app.close();
  await records.db.dropDatabase();
  await records.close();
});

it('works with a new key beside the previous one, and alone after a rotation that was killed and repeated', async () => {
  const many = await manySecondFactors();
  const [one, next] = [many[ONE], many[NEXT]] as [ObjectId, ObjectId];
  await everythingWorks();
  await restart(BOTH);
  await everythingWorks();
  expect(await repeatOrder()).toEqual(order);
  await expectRefusal(ONLY_A, B);
  await expectRefusal(ONLY_B, A);

  // A transaction that is open stops the rotation at its record. There it is killed.
  const session = records.client.startSession();
  session.startTransaction();
  await factors.updateOne({ _id: next }, { $set: { lastStep: 1 } }, { session });
  const killed = startScript(BOTH);
  const exit = once(killed, 'exit');
  await eventually(() => reached(killed, one));
  killed.kill('SIGKILL');
  expect(await exit).toEqual([null, 'SIGKILL']);
  await session.abortTransaction();
  expect([await encryptedWith(next, A), await encryptedWith(many.at(-1) ?? next, A)]).toEqual([true, true]);
  await everythingWorks();

  // The next one meets a record that changes at the same time, and one that no key decrypts.
  const userOf = async (id: ObjectId): Promise<string> => String((await factors.findOne({ _id: id }))?.['userId']);
  await factors.updateOne({ _id: one }, { $set: { sealedSecret: boxWith(A).seal('ABCD', await userOf(one)) } });
  const newer = boxWith(B).seal('NEWERNEWERNEWERN', await userOf(next));
  const { insertedId: broken } = await factors.insertOne({
    userId: new ObjectId(),
    sealedSecret: boxWith(Buffer.alloc(32, 23)).seal('ABCD', 'another'),
    recoveryHashes: [],
    sealedRecoveryKey: null,
  });
  session.startTransaction();
  await factors.updateOne({ _id: next }, { $set: { sealedSecret: newer } }, { session });
  const running = startScript(BOTH);
  const second = ended(running);
  await eventually(() => reached(running, one));
  await session.commitTransaction();
  await session.endSession();
  const { code, text } = await second;
  expect({ code, text }).toEqual({
    code: 1,
    text: expect.stringContaining(`cannot be decrypted: ${broken.toHexString()}`),
  });
  // What the one that was killed has encrypted stays as it is.
  expect(text).toMatch(/second factors: \d+ encrypted again, [1-9]\d* already current, 1 cannot be decrypted/);
  expect((await factors.findOne({ _id: next }))?.['sealedSecret']).toBe(newer);

  await expectRefusal(ONLY_B, A);

  // One that encrypts something cannot know whether a process with the old key writes more.
  await factors.deleteOne({ _id: broken });
  await factors.updateOne({ _id: one }, { $set: { sealedSecret: boxWith(A).seal('ABCD', await userOf(one)) } });
  expect(await ended(startScript(BOTH))).toEqual({ code: 0, text: expect.stringMatching(/\nRun it again: .*\n$/) });
  await expectRefusal(ONLY_B, A);
  const third = await ended(startScript(BOTH));
  expect(third).toEqual({ code: 0, text: expect.stringMatching(/\nDone: .*\n$/) });
  expect(third.text.match(/ 0 encrypted again/g)).toHaveLength(6);
  expect(third.text).toContain(`second factors: 0 encrypted again, ${MANY + 1} already current, 0 cannot be decrypted`);

  await restart(ONLY_B);
  await everythingWorks();
  expect(await repeatOrder()).toEqual(order);
  const values = await sealedValues();
  expect(values.length).toBeGreaterThan(MANY);
  expect(values.filter((sealed) => !sealed.startsWith(`${keyId(B)}.`))).toEqual([]);
});
