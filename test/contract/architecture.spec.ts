import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { againstOrder, cyclesIn, foldersOf, type Imports, importsOf } from './imports.js';
import { read, ROOT, table } from './pages.js';

/** The sources below a folder, without specs. */
function sourcesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => join(folder, name));
}

/** The folders directly in a folder. */
function foldersIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(\.|(dist|node_modules|data|coverage|reports)$)/.test(entry.name))
    .map(({ name }) => name)
    .sort();
}

/** The folders of npm packages: the mod of a game is none. */
const PACKAGES = foldersIn('packages')
  .map((name) => join('packages', name))
  .filter((folder) => existsSync(join(ROOT, folder, 'package.json')));
const STORE = 'packages/embedded-mongodb/src';

/** The areas of `src`, as the linter has them. */
let areas: string[];

beforeAll(async () => {
  areas = JSON.parse(await read('eslint.areas.json')) as string[];
});

describe('The imports', () => {
  let src: Imports;

  beforeAll(() => {
    src = importsOf(ROOT, sourcesOf('src'));
  });

  it('finds no cycle of imports in src, imports of types included', () => {
    expect(src.size).toBeGreaterThan(200);
    expect(cyclesIn(src)).toEqual([]);
  });

  it.each(PACKAGES)('finds no cycle of imports in %s, imports of types included', (folder) => {
    const imports = importsOf(ROOT, sourcesOf(join(folder, 'src')));
    expect(imports.size).toBeGreaterThan(0);
    expect(cyclesIn(imports)).toEqual([]);
  });

  it('finds only imports that follow the order of the areas of src, imports of types included', () => {
    expect(againstOrder(src, 'src', areas)).toEqual([]);
  });

  it.each(['lib', 'domain', 'infrastructure', 'http'])('finds no cycle of folders in src/%s', (layer) => {
    const folders = foldersOf(src, join('src', layer));
    expect(folders.size).toBeGreaterThan(3);
    expect(cyclesIn(folders)).toEqual([]);
  });

  it('finds only imports in the embedded store that follow the order of folders in docs/architecture.md, and none that leaves it', async () => {
    const [order] = /`(\w+(?: < \w+)+)`/.exec(await read('docs/architecture.md'))?.slice(1) ?? [];
    const folders = order?.split(' < ') ?? [];
    expect([...folders].sort()).toEqual(foldersIn(STORE));
    expect(againstOrder(importsOf(ROOT, sourcesOf(STORE)), STORE, folders)).toEqual([]);
  });

  it('finds no import of a file that does not exist', () => {
    const unknown = [...src].flatMap(([file, imported]) =>
      imported.filter((name) => !src.has(name)).map((name) => `${file}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe('The check of imports', () => {
  it('finds a cycle of imports', () => {
    const imports = new Map([
      ['src/a.ts', ['src/b.ts']],
      ['src/b.ts', ['src/c.ts']],
      ['src/c.ts', ['src/b.ts']],
    ]);
    expect(cyclesIn(imports)).toEqual([['src/b.ts', 'src/c.ts', 'src/b.ts']]);
  });

  it('finds a cycle of folders whose files import one another in no cycle', () => {
    const imports = new Map([
      ['src/l/a/x.ts', ['src/l/b/y.ts', 'src/other/x.ts']],
      ['src/l/a/z.ts', []],
      ['src/l/b/x.ts', ['src/l/a/z.ts']],
      ['src/l/b/y.ts', ['src/l/b/x.ts']],
    ]);
    expect(cyclesIn(imports)).toEqual([]);
    expect(cyclesIn(foldersOf(imports, 'src/l'))).toEqual([['a', 'b', 'a']]);
  });

  it('finds an import of a later folder, and one that leaves the package', () => {
    const imports = new Map([
      ['p/src/a/x.ts', ['p/src/a/y.ts', 'p/src/b/y.ts', 'src/y.ts']],
      ['p/src/b/y.ts', ['p/src/a/x.ts']],
    ]);
    expect(againstOrder(imports, 'p/src', ['a', 'b'])).toEqual([
      'p/src/a/x.ts imports p/src/b/y.ts',
      'p/src/a/x.ts imports src/y.ts',
    ]);
  });
});

describe('The areas of docs/architecture.md', () => {
  it('documents the areas and the folders that exist, in the order of the linter', async () => {
    const listed = table(await read('docs/architecture.md'), 'areas').map(([area = '', folders = '']) => [
      area.replace(/[`/]/g, ''),
      [...folders.matchAll(/`([\w-]+)`/g)].map(([, name]) => name).sort(),
    ]);
    expect(listed).toEqual(areas.map((area) => [area, foldersIn(join('src', area))]));
    expect(foldersIn('src')).toEqual(areas.toSorted());
  });
});
