import { describe, expect, it } from '@jest/globals';
import { ConfigurationError, parseEnvironment, type RawEnvironment } from './environment.js';
import { DEFAULT_QUOTAS } from '../../domain/limits/quotas.js';

const problemOf = (raw: RawEnvironment): string => {
  try {
    parseEnvironment(raw);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  }
};

describe('the environment', () => {
  it('accepts an empty environment: each variable has a default or is generated', () => {
    expect({ ...parseEnvironment({}) }).toEqual({
      NODE_ENV: 'development',
      PORT: 3000,
      DATA_DIR: './data',
      PLATFORM_DOMAIN: 'shops.localhost',
      MAIL_FROM: 'Shop Platform <no-reply@shops.localhost>',
      LOG_LEVEL: 'info',
      RATE_LIMIT_FACTOR: 1,
      SHOW_VERSION: false,
      TIME_LIMIT_FACTOR: 1,
      CATALOGUE_CACHE_BYTES: 67_108_864,
      QUOTAS: DEFAULT_QUOTAS,
      PROVIDER_URLS: {},
      ALLOW_PRIVATE_WEBHOOK_TARGETS: false,
    });
  });

  it('converts the environment to types', () => {
    const environment = parseEnvironment({
      PORT: '8080',
      DEMO: 'FALSE',
      RATE_LIMIT_FACTOR: '2.5',
      NODE_ENV: 'test',
      QUOTAS: 'serversPerShop=7',
      PROVIDER_URLS: 'stripe=http://127.0.0.1:4010/, paypal=https://api-m.sandbox.paypal.com',
    });
    const QUOTAS = { ...DEFAULT_QUOTAS, serversPerShop: 7 };
    const PROVIDER_URLS = { stripe: 'http://127.0.0.1:4010', paypal: 'https://api-m.sandbox.paypal.com' };
    const rest = { QUOTAS, PROVIDER_URLS };
    expect(environment).toMatchObject({ PORT: 8080, DEMO: false, RATE_LIMIT_FACTOR: 2.5, NODE_ENV: 'test', ...rest });
  });

  it('counts an empty or blank variable as absent, and removes spaces at both ends', () => {
    const environment = parseEnvironment({ PORT: '', MONGODB_URI: '  ', LOG_LEVEL: ' warn ', REDIS_URL: undefined });
    expect(environment).toMatchObject({ PORT: 3000, LOG_LEVEL: 'warn' });
    expect(environment.MONGODB_URI).toBeUndefined();
  });

  it('ignores the variables of other programs', () => {
    expect(problemOf({ PATH: '/bin', HOME: '/root', npm_config_x: '1', __proto__: 'x' })).toBe('');
  });

  it.each([
    ['NODE_ENV', 'staging'],
    ['NODE_ENV', 'Production'],
    ['PORT', '70000'],
    ['QUOTAS', 'products=5'],
    ['QUOTAS', 'productsPerShop=0'],
    ['PROVIDER_URLS', 'http://hunter2'],
    ['PROVIDER_URLS', 'stripe=ftp://127.0.0.1'],
    ['IMAGE_STORAGE', 'https://s3.example.com/images'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', 'http'],
    ['MONGODB_URI', 'postgres://user:hunter2@db/shop'],
    ['MONGODB_URI', 'Embedded'],
    ['REDIS_URL', 'http://user:hunter2@redis'],
    ['ENCRYPTION_KEY', 'hunter2hunter2'],
    ['ENCRYPTION_KEY', 'g'.repeat(64)],
    ['ENCRYPTION_KEY', 'a'.repeat(63)],
    ['PLATFORM_DOMAIN', 'https://shops.example.com'],
    ['PLATFORM_DOMAIN', 'Shops.example.com'],
    ['PLATFORM_DOMAIN', 'shops..example.com'],
    ['PUBLIC_URL', 'shops.example.com'],
    ['PUBLIC_URL', 'ftp://shops.example.com'],
    ['PUBLIC_URL', 'https://admin:hunter2@shops.example.com'],
    ['PUBLIC_URL', 'https://shops.example.com/?language=de'],
    ['PUBLIC_URL', 'https://shops.example.com/#top'],
    ['TRUST_PROXY', 'everybody'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', 'loopback, ::/0'],
    ['CORS_ORIGINS', 'example.com'],
    ['CORS_ORIGINS', 'https://a.example.com https://b.example.com'],
    ['CORS_ORIGINS', 'https://a.example.com/store'],
    ['CORS_ORIGINS', 'https://a.example.com,*'],
    ['CORS_ORIGINS', 'https://*.example.com'],
    ['CORS_ORIGINS', 'https://user:hunter2@a.example.com'],
    ['SMTP_URL', 'mail:hunter2@example.com'],
    ['MAIL_FROM', 'x'],
    ['MAIL_FROM', 'example.com'],
    ['MAIL_FROM', '"Shop <shop@example.com>"'],
    ['REGISTRATION', 'nobody'],
    ['DEMO', 'maybe'],
    ['LOG_LEVEL', 'verbose'],
    ['RATE_LIMIT_FACTOR', '0'],
    ['RATE_LIMIT_FACTOR', 'fast'],
    ['RATE_LIMIT_FACTOR', '1e9'],
    ['RATE_LIMIT_FACTOR', 'Infinity'],
  ])('rejects %s=%s: the message has the name, not the value', (name, value) => {
    const problem = problemOf({ [name]: value });
    expect(problem).toMatch(new RegExp(`^These variables are wrong:\n  ${name} must be [^\n]+$`));
    if (value.length > 3) expect(problem).not.toContain(value);
    expect(problem).not.toContain('hunter2');
  });

  it.each([
    ['RATE_LIMIT_FACTOR', ['0.009', '100001'], 'must be a number from 0.01 to 100000'],
    ['TIME_LIMIT_FACTOR', ['0.5', '1001'], 'must be a number from 1 to 1000'],
    [
      'CATALOGUE_CACHE_BYTES',
      ['1048575', '17179869185', '2e6.5', '64MB'],
      'must be a whole number of bytes from 1048576 (1 MiB) to 17179869184 (16 GiB)',
    ],
  ])('says which numbers %s may be', (name, values, sentence) => {
    for (const value of values) {
      expect(problemOf({ [name]: value })).toBe(`These variables are wrong:\n  ${name} ${sentence}`);
    }
  });

  it('names every wrong variable at once, each on one line', () => {
    expect(problemOf({ PORT: 'x', DEMO: 'x', SMTP_URL: 'x', JWT_SECRET: 'x' })).toBe(
      [
        'These variables are wrong:',
        '  PORT must be a whole number from 0 to 65535',
        '  JWT_SECRET must have at least 32 bytes',
        '  SMTP_URL must be an smtp:// or smtps:// URL, or "none"',
        '  DEMO must be true or false',
      ].join('\n'),
    );
  });

  it.each([
    ['MONGODB_URI', 'embedded'],
    ['MONGODB_URI', 'mongodb://user:pass@a:27017,b:27017/shop?replicaSet=rs0'],
    ['MONGODB_URI', 'mongodb+srv://cluster.example.com/shop'],
    ['REDIS_URL', 'rediss://redis.example.com:6380/1'],
    ['ENCRYPTION_KEY', 'aF'.repeat(32)],
    ['ENCRYPTION_KEY', Buffer.alloc(32, 0xff).toString('base64')],
    ['ENCRYPTION_KEY', Buffer.alloc(32, 0xff).toString('base64url')],
    ['PUBLIC_URL', 'http://localhost:3000'],
    ['PUBLIC_URL', 'https://api.example.com/shop'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', '10.0.0.0/8, fd00::/8'],
    ['TRUST_PROXY', 'loopback'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://a.example.com, https://b.example.com:8443'],
    ['SMTP_URL', 'smtps://user:pass@mail.example.com:465'],
    ['SMTP_URL', 'none'],
    ['MAIL_FROM', 'shop@localhost'],
    ['MAIL_FROM', 'Müller & Co., Shop <shop@example.com>'],
    ['MAIL_FROM', '"Shop" <shop@[192.0.2.1]>'],
  ])('accepts %s=%s', (name, value) => {
    expect(problemOf({ [name]: value })).toBe('');
  });
});
