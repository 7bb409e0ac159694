import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { developmentSecrets } from './development-secrets.js';
import { ConfigurationError } from './environment.js';

const JWT_SECRET = 'j'.repeat(32);
const KEY = Buffer.alloc(32, 1).toString('base64');

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'shop-platform-secrets-')), 'data');
});
afterEach(() => {
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

describe('development secrets', () => {
  it('generates random secrets at the first start, and reads them at every later start', () => {
    const made = developmentSecrets(folder);
    expect(Buffer.from(made.encryptionKey, 'base64')).toHaveLength(32);
    expect(made.jwtSecret).toMatch(/^[A-Za-z0-9_-]{64}$/);
    expect(developmentSecrets(folder)).toEqual(made);
    expect(developmentSecrets(join(folder, 'other'))).not.toEqual(made);
  });

  it('makes the secrets readable by their owner only', () => {
    developmentSecrets(folder);
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('stores the secrets in the file, and leaves nothing else in the folder', () => {
    const made = developmentSecrets(folder);
    expect(readdirSync(folder)).toEqual(['secrets.json']);
    expect(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))).toEqual(made);
  });

  it.each([
    ...['{}', '{"jwtSecret":"a"}', '{"jwtSecret":1,"encryptionKey":2}', 'null', 'not json', ''],
    // What the environment would not accept either.
    JSON.stringify({ jwtSecret: 'x', encryptionKey: KEY }),
    JSON.stringify({ jwtSecret: '', encryptionKey: KEY }),
    JSON.stringify({ jwtSecret: JWT_SECRET, encryptionKey: '' }),
    JSON.stringify({ jwtSecret: JWT_SECRET, encryptionKey: KEY.slice(1) }),
  ])('keeps the secrets of a damaged file (%j): what they encrypted would be lost', (content) => {
    developmentSecrets(folder);
    writeFileSync(join(folder, 'secrets.json'), content);
    expect(() => developmentSecrets(folder)).toThrow(
      new ConfigurationError(
        `${join(folder, 'secrets.json')} is damaged. Restore it from a backup: it has the key of the stored credentials`,
      ),
    );
    expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toBe(content);
  });

  it('rejects a folder that is a file, or that has the file as a folder: the message names the variable', () => {
    writeFileSync(folder, 'a file');
    expect(() => developmentSecrets(folder)).toThrow(ConfigurationError);
    expect(() => developmentSecrets(folder)).toThrow(/^DATA_DIR: .*data cannot be the data folder: EEXIST/);
    expect(() => developmentSecrets(join(folder, 'below'))).toThrow(/^DATA_DIR: .* cannot be the data folder: ENOTDIR/);
  });
});
