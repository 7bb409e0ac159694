import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadAppConfig } from './app-config.js';
import { ConfigurationError, type RawEnvironment } from './environment.js';

const JWT_SECRET = 'Zk3vX9qLm2Rt7Yw1Bn5Hc8Jd4Fg6Ks0P';
const ENCRYPTION_KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
const PRODUCTION = {
  NODE_ENV: 'production',
  JWT_SECRET,
  ENCRYPTION_KEY,
  MONGODB_URI: 'mongodb://db/shop?replicaSet=rs0',
  SMTP_URL: 'smtp://mail',
  PUBLIC_URL: 'https://api.shop.example',
  PLATFORM_DOMAIN: 'shops.example',
  MAIL_FROM: 'Shops <no-reply@shop.example>',
};
const REQUIRED = ['MONGODB_URI', 'JWT_SECRET', 'ENCRYPTION_KEY', 'SMTP_URL', 'PUBLIC_URL'];

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'shop-platform-config-'));
});
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

const load = (raw: RawEnvironment): ReturnType<typeof loadAppConfig> => loadAppConfig({ DATA_DIR: dataDir, ...raw });
const problemOf = (raw: RawEnvironment): string => {
  try {
    load(raw);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  }
};

describe('outside of production', () => {
  it('requires nothing: secrets are generated, and stored for the next start', () => {
    const first = load({});
    expect(first).toMatchObject({
      environment: 'development',
      host: '127.0.0.1',
      port: 3000,
      dataDir,
      mongodbUri: 'embedded',
      redisUrl: null,
      publicUrl: null,
      trustProxy: false,
      dnsServers: [],
      passwordCost: { memoryKib: 19_456, passes: 2 },
      corsOrigins: [],
      mailServer: 'files',
      registration: 'open',
      demo: true,
      rateLimitFactor: 1,
      timeLimitFactor: 1,
    });
    expect(Buffer.byteLength(first.jwtSecret)).toBeGreaterThanOrEqual(32);
    expect(first.encryptionKey).toHaveLength(32);
    expect(load({})).toEqual(first);
  });

  it('uses a given secret instead of a generated one, and generates none when both are given', () => {
    const config = load({ JWT_SECRET, ENCRYPTION_KEY });
    expect(config.jwtSecret).toBe(JWT_SECRET);
    expect(config.encryptionKey.toString('hex')).toBe(ENCRYPTION_KEY);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('accepts an encryption key in hex, base64 or base64url as the same 32 bytes, also the previous one', () => {
    const bytes = Buffer.alloc(32, 0xfb);
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const text = bytes.toString(encoding);
      expect(load({ ENCRYPTION_KEY: text })).toMatchObject({ encryptionKey: bytes, previousEncryptionKey: null });
      expect(load({ ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS: text }).previousEncryptionKey).toEqual(bytes);
    }
    expect(() => load({ ENCRYPTION_KEY_PREVIOUS: 'short' })).toThrow('ENCRYPTION_KEY_PREVIOUS must be 32 bytes');
  });

  it.each([
    [{ TRUST_PROXY: '2' }, { trustProxy: 2 }],
    [{ TRUST_PROXY: 'loopback' }, { trustProxy: 'loopback' }],
    [{ CORS_ORIGINS: '*' }, { corsOrigins: '*' }],
    [
      { CORS_ORIGINS: 'https://A.example.com/ , https://b.example.com:443,http://localhost:5173' },
      { corsOrigins: ['https://a.example.com', 'https://b.example.com', 'http://localhost:5173'] },
    ],
    [
      { CORS_ORIGINS: 'https://Admin.Example.com:443,https://bücher.example,http://localhost:80' },
      { corsOrigins: ['https://admin.example.com', 'https://xn--bcher-kva.example', 'http://localhost'] },
    ],
    [{ PUBLIC_URL: 'https://api.example.com//' }, { publicUrl: 'https://api.example.com' }],
    [{ DEMO: 'false' }, { demo: false }],
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
  ])('reads %j as %j outside of production', (raw, expected) => {
    expect(load(raw)).toMatchObject(expected);
  });

  it('requires 32 bytes of a JWT_SECRET too', () => {
    expect(problemOf({ JWT_SECRET: 'a'.repeat(15) + 'b'.repeat(16) })).toMatch(
      'JWT_SECRET must have at least 32 bytes',
    );
    expect(problemOf({ JWT_SECRET: 'ü'.repeat(16) })).toBe('');
  });
});

describe('in production', () => {
  it('starts when everything is given, listens on all addresses, and creates neither a demo nor a file', () => {
    expect(load({ ...PRODUCTION, DEMO: 'true' })).toMatchObject({
      environment: 'production',
      host: '0.0.0.0',
      demo: false,
      registration: 'invited',
      mailServer: 'smtp://mail',
    });
    expect(load({ ...PRODUCTION, SMTP_URL: 'none' })).toMatchObject({ mailServer: 'none' });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('uses the embedded store when MONGODB_URI names it', () => {
    expect(load({ ...PRODUCTION, MONGODB_URI: 'embedded' })).toMatchObject({ mongodbUri: 'embedded' });
  });

  it.each(REQUIRED)('stops the start in production without %s, and generates nothing', (name) => {
    for (const value of [undefined, '', '   ']) {
      const problem = problemOf({ ...PRODUCTION, [name]: value });
      expect(problem).toMatch(/^These variables are wrong:\n/);
      expect(problem).toContain(name);
      for (const other of REQUIRED.filter((one) => one !== name)) {
        expect(problem).not.toContain(other);
      }
    }
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it.each([
    ['PUBLIC_URL', 'http://localhost:3000'],
    ['PUBLIC_URL', 'http://shop.LOCALHOST'],
    ['PUBLIC_URL', 'https://127.0.0.1'],
    ['PUBLIC_URL', 'http://[::1]:3000'],
    ['PLATFORM_DOMAIN', 'localhost'],
    ['PLATFORM_DOMAIN', 'shops.localhost'],
    ['PLATFORM_DOMAIN', ''],
    ['MAIL_FROM', 'no-reply@shops.localhost'],
    ['MAIL_FROM', 'Shops <no-reply@LocalHost>'],
    ['MAIL_FROM', ''],
  ])('stops the start in production with %s=%s, which leads nobody to the platform', (name, value) => {
    const problem = problemOf({ ...PRODUCTION, [name]: value });
    expect(problem).toMatch(new RegExp(`^These variables are wrong:\n  ${name} must [^\n]+$`));
    expect(problem).toContain('localhost');
    expect(problemOf({ [name]: value })).toBe('');
  });

  it('accepts the names of this computer as a part of another name, and any sender when there are no emails', () => {
    const names = { PLATFORM_DOMAIN: 'notlocalhost.example', PUBLIC_URL: 'https://localhost.example' };
    expect(load({ ...PRODUCTION, ...names })).toMatchObject({ platformDomain: 'notlocalhost.example' });
    expect(load({ ...PRODUCTION, SMTP_URL: 'none', MAIL_FROM: '' })).toMatchObject({ mailServer: 'none' });
  });

  it('stops the start in production when webhooks could reach its own network, and allows it elsewhere', () => {
    const open = { ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true' };
    expect(problemOf({ ...PRODUCTION, ...open })).toContain('ALLOW_PRIVATE_WEBHOOK_TARGETS must not be true');
    expect(load(PRODUCTION)).toMatchObject({ allowPrivateWebhookTargets: false });
    expect(load(open)).toMatchObject({ allowPrivateWebhookTargets: true });
  });

  it('names a value that cannot be read, and does not fail on it', () => {
    const unreadable = { PUBLIC_URL: 'nowhere', PROVIDER_URLS: 'nowhere', IMAGE_STORAGE: 'nowhere' };
    for (const [name, value] of Object.entries(unreadable)) {
      expect(problemOf({ ...PRODUCTION, [name]: value })).toMatch(
        new RegExp(`^These variables are wrong:\n  ${name} must`),
      );
    }
  });

  it('names every missing, wrong and sample value in one message, each once', () => {
    expect(problemOf({ NODE_ENV: 'production', PORT: '-1', JWT_SECRET: 'change-me' })).toBe(
      [
        'These variables are wrong:',
        '  PORT must be a whole number from 0 to 65535',
        '  JWT_SECRET must have at least 32 bytes',
        '  PUBLIC_URL is required in production: the address at which clients reach the service',
        '  PLATFORM_DOMAIN must be a domain of your own in production, not localhost',
        '  MAIL_FROM must be an address of a domain of your own in production, not localhost',
        '  MONGODB_URI is required in production: name a replica set, or choose "embedded"',
        '  SMTP_URL is required in production: name a mail server, or choose "none" to send no emails',
        '  ENCRYPTION_KEY is required in production',
      ].join('\n'),
    );
  });

  it.each([
    ['JWT_SECRET', 'change-me-to-something-long-and-random'],
    ['JWT_SECRET', 'CHANGEME-CHANGEME-CHANGEME-CHANGEME'],
    ['JWT_SECRET', 'sample-secret-0123456789abcdefghijkl'],
    ['JWT_SECRET', 'an-example-of-a-secret-that-is-long'],
    ['JWT_SECRET', 'your-jwt-secret-of-at-least-32-bytes'],
    ['JWT_SECRET', 'placeholder-placeholder-placeholder'],
    ['JWT_SECRET', 'x'.repeat(40)],
    ['JWT_SECRET', 'hunter2'],
    ['ENCRYPTION_KEY', '0'.repeat(64)],
    ['ENCRYPTION_KEY', 'A'.repeat(43)],
    ['ENCRYPTION_KEY', `${'A'.repeat(43)}=`],
    ['ENCRYPTION_KEY', 'hunter2'],
    ['MONGODB_URI', 'localhost:27017'],
    ['MONGODB_URI', 'mysql://root:hunter2@db/shop'],
  ])('stops the start in production with %s=%s, and does not repeat the value', (name, value) => {
    const problem = problemOf({ ...PRODUCTION, [name]: value });
    expect(problem).toContain(name);
    expect(problem).not.toContain(value);
    expect(problem).not.toContain(JWT_SECRET);
    expect(problem).not.toContain(ENCRYPTION_KEY);
    expect(problem).not.toContain('hunter2');
  });
});
