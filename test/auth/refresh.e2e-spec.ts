import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document, ObjectId } from 'mongodb';
import { loadAppConfig } from '../../src/infrastructure/config/app-config.js';
import { aPerson, aShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { failAt } from './faults.js';
import { claimsOf } from './forged-tokens.js';

const PATH = '/api/v2/auth/refresh';
const REJECTED = 'The refresh token is invalid, expired or already used';

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

describe('POST /auth/refresh', () => {
  let app: TestApp;
  const send = (refreshToken: unknown): ReturnType<TestApp['api']['post']> =>
    app.api.post('/auth/refresh', { refreshToken });

  beforeAll(async () => {
    const { passwordCost } = loadAppConfig({ JWT_SECRET: 'x'.repeat(40), ENCRYPTION_KEY: 'a1'.repeat(32) });
    app = await startTestApp({ config: { passwordCost } });
  });
  afterAll(() => app.close());

  it('returns new tokens of the same session for a token', async () => {
    const person = await aPerson(app.api);
    const response = await send(person.refreshToken);
    const data = expectSuccess<Tokens>(response, 'Tokens renewed');
    expect(data).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{43}$/),
      refreshToken: expect.stringMatching(/^shr_[\w-]{43}$/),
      tokenType: 'Bearer',
      expiresIn: 900,
    });
    expect(data.refreshToken).not.toBe(person.refreshToken);
    expect(claimsOf(data.accessToken).sid).toBe(claimsOf(person.token).sid);
    expect(response.headers['cache-control']).toBe('no-store');
    expectSuccess(await app.api.get('/shops', { token: data.accessToken }));
    expectSuccess(await app.api.get('/shops', { token: person.token }));
  });

  it('ends the whole session when a used token comes again: its newest tokens stop working too', async () => {
    const person = await aPerson(app.api);
    const second = expectSuccess<Tokens>(await send(person.refreshToken));
    const third = expectSuccess<Tokens>(await send(second.refreshToken));
    expectError(await send(person.refreshToken), 401, REJECTED, PATH);
    expectError(await send(third.refreshToken), 401, REJECTED, PATH);
    expectError(await app.api.get('/shops', { token: third.accessToken }), 401, /^Authentication/);
  });

  it('ends one session of a person without the others', async () => {
    const person = await aPerson(app.api);
    const { email, password } = person;
    const other = expectSuccess<Tokens>(await app.api.post('/auth/login', { email, password }));
    const second = expectSuccess<Tokens>(await send(person.refreshToken));
    expectSuccess(await send(second.refreshToken));
    expectError(await send(person.refreshToken), 401, REJECTED, PATH);
    expectSuccess(await app.api.get('/shops', { token: other.accessToken }));
    expectSuccess(await send(other.refreshToken));
  });

  it('returns the same tokens for 20 parallel uses, and records the repetition once in the log of the shop', async () => {
    const { shopId, owner } = await aShop(app.api);
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(owner.refreshToken)));
    const tokens = responses.map((response) => expectSuccess<Tokens>(response, 'Tokens renewed'));
    const [{ accessToken: token, refreshToken } = { accessToken: '', refreshToken: '' }] = tokens;
    for (const same of tokens) expect(same).toMatchObject({ accessToken: token, refreshToken });
    const log = expectSuccess<{ action: string }[]>(await app.api.get(`/shops/${shopId}/audit`, { token }));
    expect(log.filter(({ action }) => action === 'session.refresh_repeated')).toEqual([
      expect.objectContaining({
        actor: { type: 'user', id: owner.userId, name: 'Olivia' },
        subjectId: claimsOf(token).sid,
      }),
    ]);
    expectSuccess(await send(refreshToken));
  });

  it('ends the session when a token is used again more than 30 seconds after its first use', async () => {
    const person = await aPerson(app.api);
    const next = expectSuccess<Tokens>(await send(person.refreshToken));
    expectSuccess(await send(person.refreshToken));
    // The repetition has not extended the time.
    await inDatabase(app, async (database) => {
      const successors = database.collection('refresh_successors');
      const usedHash = createHash('sha256').update(person.refreshToken).digest('hex');
      const successor = await successors.findOne({ usedHash });
      expect(Number(successor?.['expiresAt']) - Date.now()).toBeLessThanOrEqual(30_000);
      await successors.updateOne({ usedHash }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    });
    expectError(await send(person.refreshToken), 401, REJECTED, PATH);
    expectError(await app.api.get('/shops', { token: next.accessToken }), 401, /^Authentication/);
    expectError(await send(next.refreshToken), 401, REJECTED, PATH);
  });

  it('returns no tokens again after a logout', async () => {
    const person = await aPerson(app.api);
    const next = expectSuccess<Tokens>(await send(person.refreshToken));
    expectSuccess(await app.api.post('/auth/logout', { refreshToken: next.refreshToken }));
    expectError(await send(person.refreshToken), 401, REJECTED, PATH);
  });

  it('refreshes completely or not at all: after a failure the same token can be used again', async () => {
    const person = await aPerson(app.api);
    const sessionId = new ObjectId(claimsOf(person.token).sid);
    const stored = (): Promise<Document[]> =>
      inDatabase(app, (database) => database.collection('refresh_tokens').find({ sessionId }).toArray());
    const expiresAt = (await stored())[0]?.['expiresAt'] as Date;
    // The fault only affects the next token, which is written after the first one was marked as used.
    await inDatabase(app, (database) =>
      database.collection('refresh_tokens').updateOne({ sessionId }, { $set: { expiresAt: new Date(+expiresAt + 1) } }),
    );
    const before = await stored();
    const mend = await failAt(app, 'refresh_tokens', { sessionId, expiresAt });
    expectError(await send(person.refreshToken), 500, 'Something went wrong on our side', PATH);
    await mend();
    expect(await stored()).toEqual(before);
    const tokens = expectSuccess<Tokens>(await send(person.refreshToken), 'Tokens renewed');
    expectSuccess(await app.api.get('/auth/me', { token: tokens.accessToken }));
    expectSuccess(await app.api.get('/auth/me', { token: person.token }));
  });

  it('ends the session after its 30 days: a new token expires with the first one', async () => {
    const person = await aPerson(app.api);
    expectSuccess(await send(person.refreshToken));
    const sessionId = new ObjectId(claimsOf(person.token).sid);
    await inDatabase(app, async (database) => {
      const session = await database.collection('sessions').findOne({ _id: sessionId });
      const tokens = await database.collection('refresh_tokens').find({ sessionId }).toArray();
      const days = (Number(session?.['expiresAt']) - Number(session?.['createdAt'])) / 86_400_000;
      expect(days).toBe(30);
      expect(tokens.map(({ expiresAt }) => expiresAt)).toEqual([session?.['expiresAt'], session?.['expiresAt']]);
    });
  });

  it('rejects the tokens of an expired session before it is deleted', async () => {
    const person = await aPerson(app.api);
    const sessionId = new ObjectId(claimsOf(person.token).sid);
    await inDatabase(app, async (database) => {
      const past = { $set: { expiresAt: new Date(Date.now() - 1) } };
      await database.collection('sessions').updateOne({ _id: sessionId }, past);
    });
    expectError(await send(person.refreshToken), 401, REJECTED, PATH);
    expectError(await app.api.get('/shops', { token: person.token }), 401, /^Authentication/);
  });

  it('stores tokens only as hashes, or encrypted', async () => {
    const person = await aPerson(app.api);
    const next = expectSuccess<Tokens>(await send(person.refreshToken));
    await inDatabase(app, async (database) => {
      const stored = JSON.stringify([
        await database.collection('refresh_tokens').find().toArray(),
        await database.collection('refresh_successors').find().toArray(),
        await database.collection('users').find().toArray(),
      ]);
      for (const token of [person.refreshToken, next.refreshToken, next.accessToken])
        expect(stored).not.toContain(token);
      expect(stored).not.toContain(person.password);
      expect(stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    });
  });

  it.each([
    ['an unknown token', `shr_${'a'.repeat(43)}`],
    ['something else', 'x'],
    ['128 characters', 'x'.repeat(128)],
  ])('returns 401 for %s', async (_what, token) => {
    expectError(await send(token), 401, REJECTED, PATH);
  });

  it('returns 401 for an access token', async () => {
    const { token } = await aPerson(app.api);
    expectError(await send(token.slice(0, 128)), 401, REJECTED, PATH);
  });

  it.each([
    [undefined, 'refreshToken is required, for example "shr_an-opaque-text-of-43-characters"'],
    [null, 'refreshToken must be a string'],
    [{ $ne: null }, 'refreshToken must be a string'],
    ['', 'refreshToken must have 1 to 128 characters'],
    ['x'.repeat(129), 'refreshToken must have 1 to 128 characters'],
  ])('returns 400 for %j', async (token, error) => {
    expectError(await send(token), 400, error, PATH);
  });
});
