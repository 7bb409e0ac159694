import { beforeEach, describe, expect, it } from '@jest/globals';
import { GuardedRoutes, PERSON, rejection } from '../../../test/support/guarded-routes.js';

let routes: GuardedRoutes;

beforeEach(() => {
  routes = new GuardedRoutes();
});

const OWN = { 'x-csrf': '1', origin: 'https://shops.example', host: 'shops.example' };

describe("AccessGuard with the console's cookie", () => {
  it('accepts the cookie as a bearer token, for people and in shops', async () => {
    expect(await routes.enter('mine', { cookie: 'right' })).toEqual(PERSON);
    expect(await routes.enter('team', { cookie: 'right' })).toMatchObject(PERSON);
  });

  it('counts a wrong cookie as a wrong credential', async () => {
    await expect(routes.enter('mine', { cookie: 'wrong' })).rejects.toEqual(rejection('authentication_required'));
    expect(routes.calls).toEqual(['token', 'limit failedCredentials 192.0.2.7']);
  });

  it('ignores the cookie beside a key or a token, and on a public route', async () => {
    expect(await routes.enter('team', { cookie: 'wrong', keys: ['right'] })).toMatchObject({ principal: 'key:1' });
    expect(await routes.enter('mine', { cookie: 'wrong', tokens: ['right'] })).toEqual(PERSON);
    await expect(routes.enter('mine', { cookie: 'right', tokens: ['wrong'] })).rejects.toEqual(
      rejection('authentication_required'),
    );
    await expect(routes.enter('mine', { cookie: 'right', keys: ['right'] })).rejects.toEqual(
      rejection('authentication_required'),
    );
    expect(await routes.enter('open', { cookie: 'right', method: 'POST' })).toBeUndefined();
  });

  it.each([
    ['the header and our origin', OWN, true],
    ['the header alone, as from a program', { 'x-csrf': '1' }, true],
    [
      'the header and the origin of the host',
      { ...OWN, origin: 'http://localhost:3000', host: 'localhost:3000' },
      true,
    ],
    ['no header', { origin: OWN.origin }, false],
    ['another value of the header', { ...OWN, 'x-csrf': '0' }, false],
    ['another origin', { ...OWN, origin: 'https://evil.example' }, false],
    ['an origin of the same site', { ...OWN, origin: 'https://other.shops.example' }, false],
    ['another site, as the browser says', { ...OWN, 'sec-fetch-site': 'same-site' }, false],
  ])('decides about a change with %s', async (_, headers, accepted) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const entering = routes.enter('mine', { cookie: 'right', method, headers });
      if (accepted) expect(await entering).toEqual(PERSON);
      else await expect(entering).rejects.toEqual(rejection('authentication_required'));
    }
    expect(routes.calls.includes('token')).toBe(accepted);
    expect(await routes.enter('mine', { cookie: 'right', headers })).toEqual(PERSON);
  });
});
