import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { read, ROOT, table } from './pages.js';

type Names = Readonly<Record<string, string>>;
interface Manifest {
  readonly dependencies?: Names;
  readonly devDependencies?: Names;
  readonly scripts: Names;
}
interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly license?: string;
  readonly integrity?: string;
}

const PERMISSIVE = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Python-2.0',
  'PSF-2.0',
]);
/** libvips and what contains it: loaded as a library that everybody can replace. */
const LIBRARY = /^node_modules\/@img\/sharp-/;
const LESSER_GPL = /^(Apache-2\.0 AND )?LGPL-3\.0-or-later( AND MIT)?$/;
/** Their package.json has no `license` that npm reads, but their licence file or page says it. */
const IN_TEXT: Readonly<Record<string, string>> = {
  'node_modules/busboy': 'MIT',
  'node_modules/passport-strategy': 'MIT',
  'node_modules/pause': 'MIT',
  'node_modules/streamsearch': 'MIT',
};

let manifests: Manifest[];
let page: string;
let installed: [string, Locked][];

beforeAll(async () => {
  const packages = (await readdir(join(ROOT, 'packages')))
    .map((name) => `packages/${name}/package.json`)
    .filter((file) => existsSync(join(ROOT, file)));
  const files = ['package.json', ...packages];
  manifests = await Promise.all(files.map(async (file) => JSON.parse(await read(file)) as Manifest));
  page = await read('docs/dependencies.md');
  const lock = JSON.parse(await read('package-lock.json')) as { packages: Readonly<Record<string, Locked>> };
  installed = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link !== true,
  );
});

describe('docs/dependencies.md', () => {
  const namesOf = (list: 'dependencies' | 'devDependencies'): string[] =>
    [...new Set(manifests.flatMap((manifest) => Object.keys(manifest[list] ?? {})))].sort();

  it.each([
    ['dependencies', 'dependencies'],
    ['development', 'devDependencies'],
  ] as const)('gives a reason for each package in its section %s, and lists no other', (section, list) => {
    const rows = table(page, section);
    expect(rows.map(([name]) => name)).toEqual(namesOf(list).map((name) => `\`${name}\``));
    expect(rows.filter(([, why = '']) => why === '')).toEqual([]);
  });
});

describe('The packages', () => {
  it('names exact versions only', () => {
    const ranges = manifests.flatMap(({ dependencies, devDependencies }) =>
      Object.entries({ ...dependencies, ...devDependencies }).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
    );
    expect(ranges).toEqual([]);
  });

  it('finds a permissive licence for each package that is needed at run time', () => {
    const needed = installed.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true);
    const licences = needed.map(([path, { license }]) => [path, license ?? IN_TEXT[path] ?? 'none'] as const);
    const isLibrary = (path: string, licence: string): boolean => LIBRARY.test(path) && LESSER_GPL.test(licence);
    const others = licences.filter(([path, licence]) => !PERMISSIVE.has(licence) && !isLibrary(path, licence));
    expect(others).toEqual([]);
    expect(licences.length).toBeGreaterThan(80);
  });

  it('finds a checksum for each package in package-lock.json', () => {
    expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]);
  });

  it('installs without scripts in the Docker image', async () => {
    const installs = (await read('Dockerfile')).match(/npm (?:ci|prune)\b.*/g) ?? [];
    expect(installs.length).toBeGreaterThan(0);
    for (const line of installs)
      for (const command of line.split('&&')) {
        if (/npm (ci|prune)/.test(command)) expect(command).toContain('--ignore-scripts');
      }
  });
});
