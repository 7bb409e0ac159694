import { describe, expect, it } from '@jest/globals';
import { credentialHint } from './credential-hint.js';

const OPAQUE = 'x'.repeat(43);

describe('the hint for a credential at the wrong place', () => {
  it.each([
    [{ authorization: 'Bearer shp_x' }, /^An API key \(shp_\.\.\.\) goes in the header X-API-Key/],
    [{ authorization: 'shp_x' }, /^An API key/],
    [{ authorization: 'bearer  shp_x' }, /^An API key/],
    [{ apiKey: 'Bearer shp_x' }, /^An API key/],
    [{ apiKey: 'eyJhbGciOiJIUzI1NiJ9.e30.x' }, /^An access token goes in the header Authorization/],
    [{ authorization: 'eyJhbGciOiJIUzI1NiJ9.e30.x' }, /^Authorization must be Bearer and the access token/],
    [{ authorization: `Bearer shr_${OPAQUE}` }, /refresh token/],
    [{ apiKey: `sho_${OPAQUE}` }, /X-Order-Token/],
    [{ authorization: `Bearer shi_${OPAQUE}` }, /invitation/],
    [{ authorization: `Bearer shs_${OPAQUE}` }, /second step/],
    [{ authorization: `Bearer shw_${OPAQUE}` }, /new password/],
  ])('says for %j where it belongs', (headers, expected) => {
    expect(credentialHint(headers, true)).toMatch(expected);
  });

  it('says for a key that the endpoint takes none', () => {
    for (const headers of [{ apiKey: 'shp_x' }, { authorization: 'Bearer shp_x' }]) {
      expect(credentialHint(headers, false)).toMatch(/^This endpoint takes no API key/);
    }
  });

  it.each([
    {},
    { apiKey: 'shp_x' },
    { apiKey: 'x' },
    { apiKey: `shr_${'x'.repeat(36)}` },
    { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x' },
    { authorization: 'Basic dTpw' },
  ])('has none for %j', (headers) => {
    expect(credentialHint(headers, true)).toBeUndefined();
  });
});
