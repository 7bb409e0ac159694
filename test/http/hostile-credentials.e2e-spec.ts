import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectError } from '../support/envelope.js';
import { type AttackedApp, errorBody, NAMES, startAttackedApp } from './hostile-targets.js';
import { requestText, sendBytes } from './raw.js';

describe('Credentials', () => {
  let attacked: AttackedApp;

  beforeAll(async () => {
    attacked = await startAttackedApp();
  });
  beforeEach(() => attacked.remember());
  afterEach(() => attacked.expectUnharmed());
  afterAll(() => attacked.close());

  const guarded = NAMES.filter((name) => !/^[589] |orders|auth/.test(name));

  it.each(guarded)('rejects credentials of two kinds in one request: %s', async (name) => {
    const { method, path, body } = attacked.targets[name];
    const { token } = attacked.targets['3 GET api-keys'].credential;
    const { key } = attacked.targets['1 GET team'].credential;
    const call = { token: String(token), key: String(key), ...(body === undefined ? {} : { body }) };
    expectError(
      await attacked.app.api.call(method, path, call),
      400,
      'Send either X-API-Key or Authorization, not both',
    );
  });

  it.each(guarded)('ignores credentials that come twice, in the query or in the body: %s', async (name) => {
    const { method, path, credential } = attacked.targets[name];
    const header =
      credential.key === undefined ? `Authorization: Bearer ${credential.token ?? ''}` : `X-API-Key: ${credential.key}`;
    const twice = await sendBytes(
      attacked.app.baseUrl,
      requestText(method.toUpperCase(), `/api/v2${path}`, [header, header]),
    );
    expect(twice).toMatchObject({ status: 401, body: errorBody(401) });
    const { key = '', token = '' } = credential;
    const inQuery = await attacked.app.api.call(method, `${path}?key=${key}&api_key=${key}&access_token=${token}`);
    expectError(inQuery, 401, 'Authentication is missing or invalid');
    const inBody = await attacked.app.api.call(method, path, { body: { key, access_token: token } });
    expectError(inBody, 401, 'Authentication is missing or invalid');
  });

  it('ignores credentials in unusual forms', async () => {
    const { key = '' } = attacked.targets['1 GET team'].credential;
    const { token = '' } = attacked.targets['3 GET api-keys'].credential;
    const { path } = attacked.targets['1 GET team'];
    const odd: readonly Readonly<Record<string, string>>[] = [
      { 'X-API-Key': '' },
      { 'X-API-Key': ` ${key.slice(0, -1)}` },
      { 'X-API-Key': key.toUpperCase() },
      { 'X-API-Key': `${key},${key}` },
      { 'X-API-Key': 'shp_' + '0'.repeat(8_000) },
      { 'X-API-Key': '{"$ne":1}' },
      { Authorization: 'Bearer' },
      { Authorization: 'Bearer ' },
      { Authorization: `Basic ${Buffer.from('a:b').toString('base64')}` },
      { Authorization: `Bearer ${token}, Bearer ${token}` },
      { Authorization: `Bearer ${token.split('.').slice(0, 2).join('.')}.` },
      { Authorization: `Bearer ${'x'.repeat(8_000)}` },
    ];
    for (const headers of odd) {
      const response = await attacked.app.api.get(path, { headers });
      expectError(response, 401, 'Authentication is missing or invalid');
    }
  });

  it('says where a key goes that is sent as a token', async () => {
    const { key = '' } = attacked.targets['1 GET team'].credential;
    const { path } = attacked.targets['1 GET team'];
    for (const Authorization of [key, `Bearer ${key}`]) {
      const response = await attacked.app.api.get(path, { headers: { Authorization } });
      expectError(response, 401, 'An API key (shp_...) goes in the header X-API-Key, without Bearer');
    }
  });
});
