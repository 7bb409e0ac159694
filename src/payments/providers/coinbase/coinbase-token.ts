import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { MINUTE_MS, SECOND_MS } from '../../../lib/time/durations.js';
import { CredentialsRejected } from '../provider-errors.js';

/** The longest that Coinbase allows. */
const LIFETIME_SECONDS = (2 * MINUTE_MS) / SECOND_MS;

/** A Secret API Key of the Coinbase Developer Platform. */
export interface CoinbaseKey {
  readonly apiKeyId: string;
  /** Ed25519: the seed and the public key, 64 bytes in base64. ECDSA: PEM with a key of the curve P-256. */
  readonly apiKeySecret: string;
}

/** What a token is for. */
export interface TokenPurpose {
  /** Such as `GET business.coinbase.com/api/v1/checkouts/1`: Coinbase accepts the token for this request only. */
  readonly request: string;
  readonly at: Date;
  /** Different in each token. */
  readonly nonce: string;
}

interface SigningKey {
  readonly algorithm: 'EdDSA' | 'ES256';
  readonly key: KeyObject;
}

function ed25519Key(apiKeySecret: string): KeyObject {
  const bytes = Buffer.from(apiKeySecret, 'base64');
  const [d, x] = [bytes.subarray(0, 32).toString('base64url'), bytes.subarray(32).toString('base64url')];
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
}

function signingKeyOf(apiKeySecret: string): SigningKey {
  try {
    if (!apiKeySecret.startsWith('-----')) return { algorithm: 'EdDSA', key: ed25519Key(apiKeySecret) };
    const key = createPrivateKey(apiKeySecret);
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return { algorithm: 'ES256', key };
  } catch {
    // The error can contain a part of the key.
  }
  throw new CredentialsRejected('coinbase', 401, 'the API key cannot be used');
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/**
 * Makes the token for one request: a JWT (RFC 7519) that ends after two minutes.
 * @throws AppError provider_credentials_rejected when the key is none
 * @see https://docs.cdp.coinbase.com/get-started/authentication/jwt-authentication
 */
export function coinbaseToken({ apiKeyId, apiKeySecret }: CoinbaseKey, { request, at, nonce }: TokenPurpose): string {
  const { algorithm, key } = signingKeyOf(apiKeySecret);
  const now = Math.floor(at.getTime() / SECOND_MS);
  const header = { alg: algorithm, kid: apiKeyId, typ: 'JWT', nonce };
  const claims = { sub: apiKeyId, iss: 'cdp', uris: [request], iat: now, nbf: now, exp: now + LIFETIME_SECONDS };
  const signed = `${encoded(header)}.${encoded(claims)}`;
  // RFC 7518, section 3.4: the two numbers of an ECDSA signature, without DER around them.
  const options = algorithm === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' as const } : key;
  const signature = sign(algorithm === 'ES256' ? 'sha256' : null, Buffer.from(signed), options);
  return `${signed}.${signature.toString('base64url')}`;
}
