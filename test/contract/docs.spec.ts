import { execFile } from 'node:child_process';
import { access, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY_TYPES, TYPE_CEILINGS } from '../../src/access/api-keys/api-key.types.js';
import {
  ALL_PERMISSIONS,
  type Permission,
  PERMISSIONS,
  ROLE_NAMES,
  ROLES,
} from '../../src/domain/principal/permissions.js';
import { ERROR_CATALOGUE } from '../../src/domain/errors/error-catalogue.js';
import { LIMITS } from '../../src/domain/limits/limits.js';
import { ENVIRONMENT_NAMES } from '../../src/infrastructure/config/environment.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/lib/time/durations.js';
import { QUOTAS } from '../../src/domain/limits/quotas.js';
import { pages, read, ROOT, table } from './pages.js';

const README_MAX_LINES = 165;

/** The anchor that GitHub gives to a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

async function exists(...path: string[]): Promise<boolean> {
  return access(join(ROOT, ...path)).then(
    () => true,
    () => false,
  );
}

/** The relative links of a page that lead nowhere: no such file, or no such heading in it. */
async function deadLinks(page: string, text: string): Promise<string[]> {
  const dead: string[] = [];
  for (const [, target = ''] of text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    const there = await exists(file);
    const headings = there && anchor !== undefined ? [...(await read(file)).matchAll(/^#+ (.*)$/gm)] : [];
    const found = there && (anchor === undefined || headings.some(([, title = '']) => anchorOf(title) === anchor));
    if (!found) dead.push(`${page}: ${target}`);
  }
  return dead;
}

describe('The README', () => {
  it(`keeps the README within ${README_MAX_LINES} lines`, async () => {
    expect((await read('README.md')).trimEnd().split('\n').length).toBeLessThanOrEqual(README_MAX_LINES);
  });

  it('links to every page of docs/', async () => {
    const readme = await read('README.md');
    const entries = await readdir(join(ROOT, 'docs'), { withFileTypes: true });
    const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/README.md` : entry.name));
    expect(names.filter((name) => !readme.includes(`](docs/${name})`))).toEqual([]);
  });
});

describe('The changelog', () => {
  it('begins with what is not released, and then has the version of package.json with its date', async () => {
    const { version } = JSON.parse(await read('package.json')) as { version: string };
    const headings = [...(await read('CHANGELOG.md')).matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(headings.slice(0, 2)).toEqual([
      '[Unreleased]',
      expect.stringMatching(new RegExp(`^\\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}$`)),
    ]);
  });
});

describe('The pages of the documentation', () => {
  it('finds no relative link to a file or heading that does not exist', async () => {
    const dead: string[] = [];
    let links = 0;
    for (const page of await pages()) {
      const text = await read(page);
      links += text.match(/\]\(/g)?.length ?? 0;
      dead.push(...(await deadLinks(page, text)));
    }
    expect(dead).toEqual([]);
    expect(links).toBeGreaterThan(50);
  });

  it('finds a dead link and a dead heading in a sample', async () => {
    const text = '[a](no-such-page.md) [b](api.md#no-such-heading) [c](api.md#rules) [d](https://example.com)';
    expect(await deadLinks('docs/testing.md', text)).toEqual([
      'docs/testing.md: no-such-page.md',
      'docs/testing.md: api.md#no-such-heading',
    ]);
  });

  it('finds no name of a source file that does not exist', async () => {
    const missing: string[] = [];
    for (const page of (await pages()).filter((name) => name !== 'CHANGELOG.md')) {
      const named = (await read(page)).matchAll(/`((?:src|test|packages|bench|docs)\/[\w./-]+\.\w+)`/g);
      for (const [, file = ''] of named) {
        if (!(await exists(file)) && !(await exists(dirname(page), file))) missing.push(`${page}: ${file}`);
      }
    }
    expect(missing).toEqual([]);
  });

  it('finds a description of every script that a developer may run', async () => {
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
    const text = (await read('docs/development.md')) + (await read('docs/testing.md'));
    const names = Object.keys(scripts).filter((name) => !/^(pre|post)/.test(name) && name !== 'build');
    const described = names.filter((name) => new RegExp(`npm (run )?${name}(?![\\w:-])`).test(text));
    expect(described).toEqual(names);
  });

  it('finds no name of an npm script that does not exist', async () => {
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
    for (const page of await pages()) {
      const named = [...(await read(page)).matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name]) => name);
      expect({ page, unknown: named.filter((name) => name !== undefined && !(name in scripts)) }).toEqual({
        page,
        unknown: [],
      });
    }
  });

  it('finds no name of a long run that does not exist', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'scripts', 'long.js')]);
    const known = [...stdout.matchAll(/^ {2}([\w-]+) {2}/gm)].map(([, name]) => name);
    for (const page of await pages()) {
      const named = [...(await read(page)).matchAll(/npm run long -- ([a-z][\w-]*)/g)].map(([, name]) => name);
      expect({ page, unknown: named.filter((name) => !known.includes(name)) }).toEqual({ page, unknown: [] });
    }
  });
});

describe('docs/api.md', () => {
  let api: string;

  beforeAll(async () => {
    api = await read('docs/api.md');
  });

  it('lists every error of the catalogue, and no other', () => {
    expect(table(api, 'errors')).toEqual(
      Object.entries(ERROR_CATALOGUE).map(([code, { status, message }]) => [String(status), message, `\`${code}\``]),
    );
  });

  it('lists every permission with who may hold it, and no other', () => {
    const mark = (holds: readonly Permission[], permission: Permission): string =>
      holds.includes(permission) ? '✓' : '';
    expect(table(api, 'permissions')).toEqual(
      ALL_PERMISSIONS.map((permission) => [
        `\`${permission}\``,
        PERMISSIONS[permission],
        ...ROLE_NAMES.map((role) => mark(ROLES[role], permission)),
        ...API_KEY_TYPES.map((type) => mark(TYPE_CEILINGS[type], permission)),
      ]),
    );
  });

  it('lists every limit, and no other', () => {
    expect(table(api, 'limits')).toEqual(
      Object.entries(LIMITS).map(([name, { quota, windowSeconds }]) => [
        `\`${name}\``,
        String(quota),
        `${windowSeconds / 60} min`,
      ]),
    );
  });
});

describe('The environment', () => {
  it('lists the same variables in docs/configuration.md and .env.example as in the code', async () => {
    const rows = table(await read('docs/configuration.md'), 'configuration').map(([name]) => name);
    expect(rows.sort()).toEqual(ENVIRONMENT_NAMES.map((name) => `\`${name}\``).sort());
    const example = [...(await read('.env.example')).matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(example).toEqual([...ENVIRONMENT_NAMES, 'MONGO_PASSWORD', 'COMPOSE_PROFILES', 'BACKUP_FOLDER']);
  });

  it('lists the same quotas in docs/configuration.md as in the code', async () => {
    const rows = table(await read('docs/configuration.md'), 'quotas');
    expect(rows).toEqual(
      Object.entries(QUOTAS).map(([name, { quota, description }]) => [`\`${name}\``, String(quota), description]),
    );
  });

  it('shows no value for a secret in .env.example', async () => {
    const example = await read('.env.example');
    expect(example).toMatch(/^JWT_SECRET=$/m);
    expect(example).toMatch(/^ENCRYPTION_KEY=$/m);
  });
});

describe('docs/time-limits.md', () => {
  /** The milliseconds of words such as `12 seconds` and `an hour`. */
  const UNITS: Readonly<Record<string, number>> = {
    ...{ ms: 1, s: SECOND_MS, second: SECOND_MS, minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS },
  };
  const msOf = (words: string): number => {
    const [, count = '', unit = ''] = /^(an?|\d+) (ms|s|second|minute|hour|day|week)s?$/.exec(words) ?? [];
    return (/^an?$/.test(count) ? 1 : Number(count)) * (UNITS[unit] ?? NaN);
  };
  const VALUES: Readonly<Record<string, number>> = { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS };
  /** The milliseconds of a constant in a file: a product of numbers and durations. */
  const constantOf = async (name: string, file: string): Promise<number> => {
    const product = new RegExp(`\\b${name}\\s*[=:]\\s*([\\w *]+)[;,]`).exec(await read(file))?.[1] ?? '';
    const factors = product.split(' * ').map((factor) => VALUES[factor] ?? Number(factor.replaceAll('_', '')));
    const unit = name.endsWith('_SECONDS') ? SECOND_MS : 1;
    return product === '' ? NaN : factors.reduce((left, right) => left * right, unit);
  };
  const NAMED = /^`(\w+)` in `([\w./-]+)`$/;
  let rows: string[][];

  beforeAll(async () => {
    rows = table(await read('docs/time-limits.md'), 'time-limits');
  });

  it('gives each limit as its constant does', async () => {
    const inCode = rows.map(async ([what, , constant = '']) => {
      const [, name = '', file = ''] = NAMED.exec(constant) ?? [];
      return [what, await constantOf(name, file)];
    });
    expect(await Promise.all(inCode)).toEqual(rows.map(([what, after = '']) => [what, msOf(after)]));
    expect(rows.length).toBeGreaterThan(40);
  });

  it('names a spec for each limit, and the pages that say it say the same', async () => {
    const problems: string[] = [];
    for (const [what = '', after = '', , spec = '', page = ''] of rows) {
      if (spec !== 'none' && !(await exists(spec.replaceAll('`', '')))) problems.push(`${what}: ${spec}`);
      const says = page === '' || (await read(`docs/${page.replaceAll('`', '')}`)).replace(/\s+/g, ' ').includes(after);
      if (!says) problems.push(`${what}: ${page} does not say ${after}`);
    }
    expect(problems).toEqual([]);
  });

  it('lists every time limit of the code', async () => {
    const files = (await readdir(join(ROOT, 'src'), { recursive: true })).filter((name) => /(?<!spec)\.ts$/.test(name));
    const limits: string[] = [];
    for (const file of files) {
      const names = (await read(join('src', file))).matchAll(
        /const (\w*(?:TIMEOUT|TIME_LIMIT|DEADLINE|HARD_LIMIT)_MS) =/g,
      );
      for (const [, name = ''] of names) limits.push(`\`${name}\` in \`src/${file}\``);
    }
    const listed = new Set(rows.map(([, , constant]) => constant));
    expect(limits.filter((limit) => !listed.has(limit))).toEqual([]);
    expect(limits.length).toBeGreaterThan(15);
  });
});

describe('The table of complaints', () => {
  it('names for each complaint a test that has its number in its title', async () => {
    const rows = table(await read('docs/complaints.md'), 'complaints');
    expect(rows.map(([number]) => Number(number))).toEqual(Array.from({ length: 28 }, (_, index) => index + 1));
    const missing: string[] = [];
    for (const [number = '', , , test = ''] of rows.filter((row) => row[3] !== 'none')) {
      const titles = await read(test.replaceAll('`', ''));
      if (!new RegExp(`\\(complaints?[^)]*\\b${number}\\b`).test(titles)) missing.push(`${number}: ${test}`);
    }
    expect(missing).toEqual([]);
  });
});
