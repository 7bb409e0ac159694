import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY_TYPES, TYPE_CEILINGS } from '../../src/api-keys/api-key.types.js';
import { ALL_PERMISSIONS, type Permission, PERMISSIONS, ROLE_NAMES, ROLES } from '../../src/common/auth/permissions.js';
import { ERROR_CATALOGUE } from '../../src/common/errors/error-catalogue.js';
import { LIMITS } from '../../src/common/throttling/limits.js';
import { ENVIRONMENT_NAMES } from '../../src/config/environment.js';

const ROOT = join(import.meta.dirname, '..', '..');

describe('The README', () => {
  let readme: string;

  /** The cells of a table's rows, below its head. */
  const table = (name: string): string[][] => {
    const section = new RegExp(`<!-- ${name}:begin[^>]*-->([^]*)<!-- ${name}:end -->`).exec(readme)?.[1] ?? '';
    const rows = section
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('|'));
    return rows.slice(2).map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  };

  beforeAll(async () => {
    readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  });

  it('lists every error of the catalogue, and no other', () => {
    const catalogue = Object.entries(ERROR_CATALOGUE);
    expect(table('errors')).toEqual(
      catalogue.map(([code, { status, message }]) => [String(status), message, `\`${code}\``]),
    );
  });

  it('lists every permission with who may hold it, and no other', () => {
    const mark = (holds: readonly Permission[], permission: Permission): string =>
      holds.includes(permission) ? '✓' : '';
    expect(table('permissions')).toEqual(
      ALL_PERMISSIONS.map((permission) => [
        `\`${permission}\``,
        PERMISSIONS[permission],
        ...ROLE_NAMES.map((role) => mark(ROLES[role], permission)),
        ...API_KEY_TYPES.map((type) => mark(TYPE_CEILINGS[type], permission)),
      ]),
    );
  });

  it('lists every limit, and no other', () => {
    expect(table('limits')).toEqual(
      Object.entries(LIMITS).map(([name, { quota, windowSeconds }]) => [
        `\`${name}\``,
        String(quota),
        `${windowSeconds / 60} min`,
      ]),
    );
  });

  it('links to nothing that is not there', async () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target]) => target ?? '');
    expect(links.length).toBeGreaterThan(3);
    for (const target of links) await expect(access(join(ROOT, target))).resolves.toBeUndefined();
  });

  it('lists every script that a developer may run', async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const name of Object.keys(scripts).filter((script) => /^(start|test|check|bench|store)\b/.test(script))) {
      expect(readme).toMatch(new RegExp(`npm (run )?${name}\\b`));
    }
  });

  it('names every variable of the environment, as .env.example does', async () => {
    const example = await readFile(join(ROOT, '.env.example'), 'utf8');
    const documented = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(documented).toEqual(ENVIRONMENT_NAMES);
    for (const name of ENVIRONMENT_NAMES) expect(readme).toContain(`\`${name}\``);
  });
});

describe('The samples of .env.example', () => {
  it('set nothing that would be a secret', async () => {
    const example = await readFile(join(ROOT, '.env.example'), 'utf8');
    expect(example).toMatch(/^JWT_SECRET=$/m);
    expect(example).toMatch(/^ENCRYPTION_KEY=$/m);
  });
});
