import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';

export interface Claims {
  readonly sub: string;
  readonly sid: string;
  readonly typ: string;
  readonly iat: number;
  readonly exp: number;
  readonly iss: string;
  readonly aud: string;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The claims of a token, without a check of its signature. */
export function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims;
}

/** Signs any header and payload, as an attacker who has the secret could. */
export function sign(payload: unknown, secret: string, header: object = {}, hash = 'sha256'): string {
  const text = `${encode({ alg: 'HS256', typ: 'JWT', ...header })}.${encode(payload)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}

function signedWithRsa(payload: unknown): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(payload)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
}

/** Tokens with one fault each. Everything else in them is right. */
export function forgedTokens(claims: Claims, secret: string): readonly (readonly [what: string, token: string])[] {
  const now = Math.floor(Date.now() / 1000);
  const without = (name: keyof Claims): object => ({ ...claims, [name]: undefined });
  const changed = (changes: object): string => sign({ ...claims, ...changes }, secret);
  const [head = '', body = '', tail = ''] = sign(claims, secret).split('.');
  const flipped = tail.startsWith('A') ? `B${tail.slice(1)}` : `A${tail.slice(1)}`;
  return [
    ['without a signature and alg none', `${encode({ alg: 'none', typ: 'JWT' })}.${body}.`],
    ['with alg None in another case', `${encode({ alg: 'NoNe', typ: 'JWT' })}.${body}.`],
    ['with alg none and a signature', `${encode({ alg: 'none', typ: 'JWT' })}.${body}.${tail}`],
    ['without an alg', `${encode({ typ: 'JWT' })}.${body}.${tail}`],
    ['with its signature cut off', `${head}.${body}.`],
    ['with a changed signature', `${head}.${body}.${flipped}`],
    ['with another payload under the same signature', `${head}.${encode({ ...claims, exp: now + 9999 })}.${tail}`],
    ['signed with another secret', sign(claims, `${secret}x`)],
    ['signed with an empty secret', sign(claims, '')],
    ['signed with HS512', sign(claims, secret, { alg: 'HS512' }, 'sha512')],
    ['signed with HS384', sign(claims, secret, { alg: 'HS384' }, 'sha384')],
    ['that calls an HMAC an RSA signature', sign(claims, secret, { alg: 'RS256' })],
    ['signed with an RSA key of its own', signedWithRsa(claims)],
    ['whose kid names a file', sign(claims, '', { kid: '../../../../dev/null' })],
    ['whose kid is SQL', sign(claims, 'known', { kid: "x' UNION SELECT 'known" })],
    ['that brings its own key as jwk', sign(claims, 'known', { jwk: { kty: 'oct', k: 'a25vd24' } })],
    ['that names a key server', sign(claims, 'known', { jku: 'http://127.0.0.1:1/keys.json' })],
    ['of another issuer', changed({ iss: 'somebody-else' })],
    ['without an issuer', sign(without('iss'), secret)],
    ['for another audience', changed({ aud: 'another-api' })],
    ['without an audience', sign(without('aud'), secret)],
    ['of another type', changed({ typ: 'refresh' })],
    ['of the type of a second step', changed({ typ: 'second_factor' })],
    ['whose type is a list', changed({ typ: ['access'] })],
    ['without a type', sign(without('typ'), secret)],
    ['without an expiry', sign(without('exp'), secret)],
    ['whose expiry is a text', changed({ exp: String(now + 900) })],
    ['that expired 6 s ago', changed({ exp: now - 6 })],
    ['that is not valid yet', changed({ nbf: now + 60 })],
    ['without an issue time', sign(without('iat'), secret)],
    ['without a person', sign(without('sub'), secret)],
    ['whose person is a query operator', changed({ sub: { $ne: null } })],
    ['of another person than the session', changed({ sub: '0'.repeat(24) })],
    ['without a session', sign(without('sid'), secret)],
    ['whose session is a query operator', changed({ sid: { $ne: null } })],
    ['of an unknown session', changed({ sid: '0'.repeat(24) })],
    ['whose payload is null', sign(null, secret)],
    ['whose payload is a list', sign([claims], secret)],
    ['whose payload is a number', sign(5, secret)],
    ['whose payload is not JSON', `${head}.${Buffer.from('{').toString('base64url')}.${tail}`],
    ['whose header is not JSON', `${Buffer.from('{').toString('base64url')}.${body}.${tail}`],
    ['of 8 KB', changed({ padding: 'x'.repeat(6_000) })],
    ['of two parts', `${head}.${body}`],
    ['of four parts', `${head}.${body}.${tail}.${tail}`],
    ['of dots only', '..'],
    ['of one letter', 'x'],
  ];
}
