const OF_KEYS = 'An API key (shp_...) goes in the header X-API-Key, without Bearer';
const OF_ORDERS =
  'The token of an order (sho_...) goes in the header X-Order-Token, and only endpoints of orders for buyers take it';

/** What else of this service looks like a credential, by its prefix. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ['shp_', OF_KEYS],
  ['sho_', OF_ORDERS],
  ['shr_', 'This is a refresh token; exchange it at POST /auth/refresh, and send the access token'],
  ['shs_', 'This token is for the second step of a login; send it to POST /auth/login/second-factor'],
  ['shi_', 'This is the token of an invitation; send it to POST /team/invitations/accept, with an access token'],
  ['shm_', 'This token confirms a new email address; send it to POST /auth/email/confirm'],
  ['shw_', 'This token sets a new password; send it to POST /auth/password/reset'],
]);

const PREFIX_LENGTH = 4;
const OTHER_TOKEN = /^sh[a-z]_[\w-]{43}$/;

/**
 * Where a credential belongs that was sent in the wrong header, or to an endpoint that does not take it. Only its form decides, so the
 * hint says nothing about whether the credential is valid.
 * @param takesKeys whether the endpoint takes API keys
 * @returns undefined without a hint
 */
export function credentialHint(
  headers: { readonly authorization?: string | undefined; readonly apiKey?: string | undefined },
  takesKeys: boolean,
): string | undefined {
  const { authorization, apiKey } = headers;
  const sent = (authorization ?? apiKey ?? '').trim().replace(/^(?:Bearer|Basic|Token|ApiKey)\s+/i, '');
  const isKey = sent.startsWith('shp_');
  if (isKey && !takesKeys) return 'This endpoint takes no API key; send an access token in Authorization, after Bearer';
  // A key in its own header is unknown, revoked or expired.
  if (isKey && sent === apiKey?.trim()) return undefined;
  if (sent.startsWith('eyJ') && authorization === undefined) {
    return 'An access token goes in the header Authorization, after Bearer';
  }
  if (sent.startsWith('eyJ') && !/^Bearer\s/i.test(authorization?.trim() ?? '')) {
    return 'Authorization must be Bearer and the access token';
  }
  // A key with a mistake in it can begin as another token does.
  return isKey || OTHER_TOKEN.test(sent) ? HINTS.get(sent.slice(0, PREFIX_LENGTH)) : undefined;
}
