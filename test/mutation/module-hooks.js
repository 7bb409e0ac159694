// Module hooks of Node (`module.register`): compile TypeScript as Jest does, and load our own files again for each run.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { shared } from '../../jest.shared.js';

const [, swc] = shared.transform['^.+\\.ts$'];
const JEST_GLOBALS = new URL('jest-globals.js', import.meta.url).href;
const compiled = new Map();

/**
 * An import takes over the query of the file that imports it. So a run with a query of its own gets its own instances of our
 * files, while the packages, which never change, are loaded once.
 */
export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: JEST_GLOBALS, shortCircuit: true };
  const parent = new URL(context.parentURL ?? import.meta.url);
  if (!specifier.startsWith('.') || !parent.pathname.endsWith('.ts')) return next(specifier, context);
  const url = new URL(specifier, parent);
  const source = new URL(url.href.replace(/\.js$/, '.ts'));
  if (!existsSync(source)) return next(specifier, context);
  source.search = parent.search;
  return { url: source.href, format: 'module', shortCircuit: true };
}

export async function load(url, context, next) {
  const { pathname } = new URL(url);
  if (!pathname.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(new URL(pathname, 'file:'));
  if (!compiled.has(filename)) {
    const { code } = await transform(await readFile(filename, 'utf8'), { ...swc, filename, swcrc: false });
    compiled.set(filename, code);
  }
  return { format: 'module', source: compiled.get(filename), shortCircuit: true };
}
