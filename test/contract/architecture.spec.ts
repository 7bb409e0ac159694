import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { againstDirection, againstOrder, cyclesIn, type Imports, importsOf } from './imports.js';
import { read, ROOT, section } from './pages.js';

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
    .map(({ name }) => join(folder, name));
}

const PACKAGES = foldersIn('packages');

describe('The imports', () => {
  let src: Imports;

  beforeAll(() => {
    src = importsOf(ROOT, sourcesOf('src'));
  });

  it('form no cycle in src, imports of types included', () => {
    expect(src.size).toBeGreaterThan(200);
    expect(cyclesIn(src)).toEqual([]);
  });

  it.each(PACKAGES)('form no cycle in %s, imports of types included', (folder) => {
    const imports = importsOf(ROOT, sourcesOf(join(folder, 'src')));
    expect(imports.size).toBeGreaterThan(0);
    expect(cyclesIn(imports)).toEqual([]);
  });

  it('follow the direction of docs/architecture.md in src', () => {
    expect(againstDirection(src)).toEqual([]);
  });

  it('follow the order of folders in docs/architecture.md in the embedded store, and do not leave it', async () => {
    const [order] = /`(\w+(?: < \w+)+)`/.exec(await read('docs/architecture.md'))?.slice(1) ?? [];
    const folders = order?.split(' < ') ?? [];
    const root = 'packages/embedded-mongodb/src';
    expect(folders.map((name) => join(root, name)).sort()).toEqual(foldersIn(root).sort());
    expect(againstOrder(importsOf(ROOT, sourcesOf(root)), root, folders)).toEqual([]);
  });

  it('name only files that exist', () => {
    const unknown = [...src].flatMap(([file, imported]) =>
      imported.filter((name) => !src.has(name)).map((name) => `${file}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe('The check of imports', () => {
  it('finds a cycle', () => {
    const imports = new Map([
      ['src/a.ts', ['src/b.ts']],
      ['src/b.ts', ['src/c.ts']],
      ['src/c.ts', ['src/b.ts']],
    ]);
    expect(cyclesIn(imports)).toEqual([['src/b.ts', 'src/c.ts', 'src/b.ts']]);
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

  it.each([
    ['src/a/a.controller.ts', 'src/a/a.repository.ts'],
    ['src/a/a.repository.ts', 'src/a/a.service.ts'],
    ['src/a/a.schema.ts', 'src/a/a.repository.ts'],
    ['src/a/a.service.ts', 'src/a/a.controller.ts'],
    ['src/common/http/x.ts', 'src/a/a.types.ts'],
    ['src/database/x.ts', 'src/app.module.ts'],
    ['src/a/a.service.ts', 'src/b/b.repository.ts'],
    ['src/a/a.module.ts', 'src/b/b.schema.ts'],
    ['src/a/a.service.ts', 'packages/embedded-mongodb/src/index.ts'],
  ])('rejects that %s imports %s', (file, target) => {
    expect(againstDirection(new Map([[file, [target]]]))).toHaveLength(1);
  });

  it.each([
    ['src/a/a.controller.ts', 'src/a/a.service.ts'],
    ['src/a/a.service.ts', 'src/b/b.service.ts'],
    ['src/a/a.service.ts', 'src/common/errors/app-error.ts'],
    ['src/common/http/x.ts', 'src/config/app-config.ts'],
    ['src/app.module.ts', 'src/a/a.module.ts'],
  ])('accepts that %s imports %s', (file, target) => {
    expect(againstDirection(new Map([[file, [target]]]))).toEqual([]);
  });
});

describe('The folders of docs/architecture.md', () => {
  it('are the folders that exist', async () => {
    const lines = section(await read('docs/architecture.md'), 'folders').split('\n');
    const listed: string[] = [];
    const open: string[] = [];
    for (const line of lines) {
      const [, indent, name] = /^( *)([\w.-]+)\//.exec(line) ?? [];
      if (indent === undefined || name === undefined) continue;
      open.splice(indent.length / 2, Infinity, name);
      listed.push(open.join('/'));
    }
    const shown = ['src', 'src/common', 'test', 'packages', 'docs', ...PACKAGES, ...PACKAGES.flatMap(foldersIn)];
    const existing = shown.filter((folder) => !folder.endsWith('/bench')).flatMap(foldersIn);
    expect(listed.sort()).toEqual([...new Set([...foldersIn('.'), ...existing])].sort());
  });
});
