import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { coinbaseToken } from './coinbase-token.js';

/** The tokens of version 1.57.0 of Coinbase's own library (npm @coinbase/cdp-sdk, generateJwt), for its nonces and times. */
const OF_ED25519 =
  'eyJhbGciOiJFZERTQSIsImtpZCI6IjFmMWY4YTNlLTBiN2EtNGMwZi05YTQzLTNmMmI4ZjZmMmMxMSIsInR5cCI6IkpXVCIsIm5vbmNlIjoiMjI0MDgzNjQzMmQwYTdhYWMxOTU2M2QyZjhiZGU4MmUifQ' +
  '.eyJzdWIiOiIxZjFmOGEzZS0wYjdhLTRjMGYtOWE0My0zZjJiOGY2ZjJjMTEiLCJpc3MiOiJjZHAiLCJ1cmlzIjpbIlBPU1QgYnVzaW5lc3MuY29pbmJhc2UuY29tL2FwaS92MS9jaGVja291dHMiXSwiaWF0IjoxNzk1MzgxMTUzLCJuYmYiOjE3OTUzODExNTMsImV4cCI6MTc5NTM4MTI3M30' +
  '.F7csR09q5IVuOWz6GNo183QdnRwi2XBIBaaXU59tBl5lQNPWlXe7CFopkoJPZMY1K09baxr90HVrm3zpKc3xCQ';
/** Without its signature, which is another one each time. */
const OF_ECDSA =
  'eyJhbGciOiJFUzI1NiIsImtpZCI6Im9yZ2FuaXphdGlvbnMvMGQxZjZjMWUtOGYwYy00YzM5LTlkNWEtN2I2YzVkNGUzZjIwL2FwaUtleXMvMWYxZjhhM2UtMGI3YS00YzBmLTlhNDMtM2YyYjhmNmYyYzExIiwidHlwIjoiSldUIiwibm9uY2UiOiI2N2FlMjY3MmRmNTQ1ZTdjNTAyZGMzNDdjMDg2N2Y4YSJ9' +
  '.eyJzdWIiOiJvcmdhbml6YXRpb25zLzBkMWY2YzFlLThmMGMtNGMzOS05ZDVhLTdiNmM1ZDRlM2YyMC9hcGlLZXlzLzFmMWY4YTNlLTBiN2EtNGMwZi05YTQzLTNmMmI4ZjZmMmMxMSIsImlzcyI6ImNkcCIsInVyaXMiOlsiR0VUIGJ1c2luZXNzLmNvaW5iYXNlLmNvbS9hcGkvdjEvY2hlY2tvdXRzL3giXSwiaWF0IjoxNzk1MzgyODg3LCJuYmYiOjE3OTUzODI4ODcsImV4cCI6MTc5NTM4MzAwN30';

const KEY_ID = '1f1f8a3e-0b7a-4c0f-9a43-3f2b8f6f2c11';
/** The seed has the bytes 0 to 31. */
const SEED = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const PUBLIC_KEY = '03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8';
const SECRET = Buffer.concat([SEED, Buffer.from(PUBLIC_KEY, 'hex')]).toString('base64');
const PURPOSE = {
  request: 'POST business.coinbase.com/api/v1/checkouts',
  at: new Date(1_795_381_153_000),
  nonce: '2240836432d0a7aac19563d2f8bde82e',
};

describe('coinbaseToken', () => {
  it("returns the same bytes as Coinbase's own library for an Ed25519 key", () => {
    expect(coinbaseToken({ apiKeyId: KEY_ID, apiKeySecret: SECRET }, PURPOSE)).toBe(OF_ED25519);
    const aMomentLater = new Date(PURPOSE.at.getTime() + 999);
    expect(coinbaseToken({ apiKeyId: KEY_ID, apiKeySecret: SECRET }, { ...PURPOSE, at: aMomentLater })).toBe(
      OF_ED25519,
    );
  });

  it.each(['pkcs8', 'sec1'] as const)(
    "returns the content of Coinbase's library with a valid ES256 signature for a %s key",
    (type) => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const apiKeyId = `organizations/0d1f6c1e-8f0c-4c39-9d5a-7b6c5d4e3f20/apiKeys/${KEY_ID}`;
      const apiKeySecret = privateKey.export({ type, format: 'pem' }).toString();
      const token = coinbaseToken(
        { apiKeyId, apiKeySecret },
        {
          request: 'GET business.coinbase.com/api/v1/checkouts/x',
          at: new Date(1_795_382_887_000),
          nonce: '67ae2672df545e7c502dc347c0867f8a',
        },
      );
      const [header, claims, signature = ''] = token.split('.');
      expect(`${header}.${claims}`).toBe(OF_ECDSA);
      const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
      expect(verify('sha256', Buffer.from(OF_ECDSA), key, Buffer.from(signature, 'base64url'))).toBe(true);
    },
  );

  const otherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  it.each<[string, string]>([
    ['nothing', ''],
    ['too few bytes', SEED.toString('base64').slice(0, 20)],
    ['a PEM without a key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'],
    ['a key of another curve', otherCurve.export({ type: 'pkcs8', format: 'pem' }).toString()],
    ['an RSA key', rsa.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ])('rejects %s as key, without a part of it in the error', (_, apiKeySecret) => {
    const unusable = expect.objectContaining({
      code: 'provider_credentials_rejected',
      cause: new Error('coinbase: the API key cannot be used'),
    });
    expect(() => coinbaseToken({ apiKeyId: KEY_ID, apiKeySecret }, PURPOSE)).toThrow(unusable);
  });
});
