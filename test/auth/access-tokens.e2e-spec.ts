import { type IncomingMessage, request as rawRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aPerson, type Person } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { SECRETS, startTestApp, type TestApp } from '../support/test-app.js';
import { wholeOutput } from '../support/whole-output.js';
import { type Claims, claimsOf, forgedTokens, sign } from './forged-tokens.js';
import { aProtectedPerson } from './second-factors.js';

const SECRET = SECRETS.JWT_SECRET;
const REJECTED = 'Authentication is missing or invalid';
const PATH = '/api/v2/api-keys';

describe('bearer tokens', () => {
  let app: TestApp;
  let person: Person;
  let claims: Claims;

  beforeAll(async () => {
    app = await startTestApp({ watchCommands: true });
    person = await aPerson(app.api);
    claims = claimsOf(person.token);
  });
  afterAll(() => app.close());

  it('issues tokens that contain the person, the session and the times, and nothing more', () => {
    expect(claims).toEqual({
      sub: person.userId,
      sid: expect.stringMatching(/^[0-9a-f]{24}$/),
      typ: 'access',
      iat: expect.any(Number),
      exp: claims.iat + 900,
      iss: 'shop-platform',
      aud: 'shop-platform-api',
    });
  });

  it('accepts a token up to 5 s after its expiry, and with the scheme in any case', async () => {
    const now = Math.floor(Date.now() / 1000);
    expectSuccess(await app.api.get('/api-keys', { token: sign(claims, SECRET) }));
    expectSuccess(await app.api.get('/api-keys', { token: sign({ ...claims, exp: now - 1 }, SECRET) }));
    expectSuccess(await app.api.get('/api-keys', { headers: { authorization: `bearer ${person.token}` } }));
  });

  it('rejects a token with the same 401 for every reason', async () => {
    const forged = forgedTokens(claims, SECRET);
    const responses = await Promise.all(
      forged.map(async ([what, token]) => {
        const { status, body, headers } = await app.api.get('/api-keys', { token });
        return { what, status, error: body.error, challenge: headers['www-authenticate'] };
      }),
    );
    expect(responses).toEqual(forged.map(([what]) => ({ what, status: 401, error: REJECTED, challenge: 'Bearer' })));
    expect(await wholeOutput(app)).not.toMatch(/"level":"(?:error|fatal)"/);
  });

  it.each([
    ['no header', {}],
    ['an empty header', { authorization: '' }],
    ['a scheme alone', { authorization: 'Bearer' }],
    ['a scheme and a space', { authorization: 'Bearer ' }],
    ['Basic credentials', { authorization: 'Basic cm9iaW46cm9iaW4=' }],
  ])('returns 401 for %s', async (_what, headers: Record<string, string>) => {
    expectError(await app.api.get('/api-keys', { headers }), 401, REJECTED, PATH);
  });

  it('rejects a token without its scheme', async () => {
    const headers = { authorization: person.token };
    const says = 'Authorization must be Bearer and the access token';
    expectError(await app.api.get('/api-keys', { headers }), 401, says, PATH);
  });

  it('rejects a key as a token, and says that the endpoint takes no key', async () => {
    const says = 'This endpoint takes no API key; send an access token in Authorization, after Bearer';
    expectError(await app.api.get('/api-keys', { token: `shp_${'0'.repeat(36)}` }), 401, says, PATH);
  });

  it('ignores a token in the query, in a cookie and in the body', async () => {
    const { token } = person;
    expectError(await app.api.get(`/api-keys?access_token=${token}`), 401, REJECTED, PATH);
    expectError(await app.api.get('/api-keys', { headers: { cookie: `accessToken=${token}` } }), 401, REJECTED, PATH);
    expectError(await app.api.post('/shops', { auth_token: token }), 401, REJECTED, '/api/v2/shops');
  });

  it('rejects a header that comes twice, even when both tokens are right', async () => {
    const bearer = `Bearer ${person.token}`;
    expect(await sendTwice(app.baseUrl, bearer, bearer)).toEqual([401, REJECTED]);
    expect(await sendTwice(app.baseUrl, bearer, 'Bearer x')).toEqual([401, REJECTED]);
  });

  it('rejects a refresh token, a reset token and the token of a second step as a bearer token', async () => {
    const { email, password, refreshToken } = await aProtectedPerson(app);
    expectSuccess(await app.api.post('/auth/password/forgot', { email }));
    const [resetToken] = await app.mailbox.next(email, /shw_[\w-]{43}/);
    const login = await app.api.post('/auth/login', { email, password });
    const { secondFactor } = expectSuccess<{ secondFactor: { token: string } }>(login);
    for (const [token, says] of [
      [refreshToken, /^This is a refresh token/],
      [resetToken, /^This token sets a new password/],
      [secondFactor.token, /^This token is for the second step/],
    ] as const) {
      expectError(await app.api.get('/api-keys', { token }), 401, says, PATH);
    }
  });

  it('rejects a token with a wrong signature without a database command', async () => {
    const token = sign(claims, `${SECRET}x`);
    expect(await app.commandsOf(() => app.api.get('/api-keys', { token }))).toEqual([]);
  });
});

/** supertest joins repeated headers. A plain socket sends both. */
async function sendTwice(baseUrl: string, ...authorization: string[]): Promise<[number | undefined, string]> {
  const url = new URL(PATH, baseUrl);
  const headers = ['Host', url.host, ...authorization.flatMap((value) => ['Authorization', value])];
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    rawRequest(url, { headers }).on('response', resolve).on('error', reject).end();
  });
  const body = JSON.parse(await text(response)) as { error: string };
  return [response.statusCode, body.error];
}
