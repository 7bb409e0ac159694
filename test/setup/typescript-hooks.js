// Module hooks of Node (`module.register`): specs run in bare Node, without the sandboxes of Jest. They compile TypeScript as Jest does.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { swc } from '../../jest.shared.js';

const compiled = new Map();

/** What a spec file gets for `@jest/globals`, and whether a run loads our own files again. */
let globals;
let reloads;

/**
 * @param data.globals the URL of the module that replaces `@jest/globals`
 * @param data.reloads true: an import takes over the query of the file that imports it, so a run with a query of its own gets its own
 *   instances of our files, while the packages, which never change, are loaded once. false: only `@jest/globals` is loaded again for
 *   each spec file
 */
export function initialize(data) {
  ({ globals, reloads } = data);
}

export async function resolve(specifier, context, next) {
  const parent = new URL(context.parentURL ?? import.meta.url);
  if (specifier === '@jest/globals') return { url: reloads ? globals : globals + parent.search, shortCircuit: true };
  if (!specifier.startsWith('.') || !parent.pathname.endsWith('.ts')) return next(specifier, context);
  const url = new URL(specifier, parent);
  const source = new URL(url.href.replace(/\.js$/, '.ts'));
  if (!existsSync(source)) return next(specifier, context);
  if (reloads) source.search = parent.search;
  return { url: source.href, format: 'module', shortCircuit: true };
}

export async function load(url, context, next) {
  const { pathname } = new URL(url);
  if (!pathname.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(new URL(pathname, 'file:'));
  if (!compiled.has(filename)) {
    const { code } = await transform(await readFile(filename, 'utf8'), {
      ...swc,
      sourceMaps: 'inline',
      filename,
      swcrc: false,
    });
    compiled.set(filename, code);
  }
  return { format: 'module', source: compiled.get(filename), shortCircuit: true };
}
