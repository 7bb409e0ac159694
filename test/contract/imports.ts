import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';

/** Each file of a program, and the files that it imports; paths are relative to the root. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the relative imports of files: `import`, `export from`, `import()`, and imports of types. Imports of packages are
 * left out.
 * @param root absolute
 * @param files relative to the root
 */
export function importsOf(root: string, files: readonly string[]): Imports {
  return new Map(
    files.map((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true);
      const own = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'));
      return [file, own.map((name) => join(dirname(file), name.replace(/\.js$/, '.ts')))];
    }),
  );
}

/** Cycles among the imports, the three shortest, each as the chain of files that leads back to its first one. */
export function cyclesIn(imports: Imports): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const chain: string[] = [];
  const visit = (file: string): void => {
    const start = chain.indexOf(file);
    if (start >= 0) cycles.push([...chain.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    chain.push(file);
    for (const imported of imports.get(file) ?? []) visit(imported);
    chain.pop();
    done.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return cycles.sort((one, other) => one.length - other.length).slice(0, 3);
}

/**
 * The imports of a package that leave it, or that go from a folder to a later one, as sentences.
 * @param root the folder of the sources, for example `packages/embedded-mongodb/src`
 * @param order the folders in it; each may import itself and those before it
 */
export function againstOrder(imports: Imports, root: string, order: readonly string[]): string[] {
  const place = (file: string): number => order.indexOf(relative(root, file).split(sep)[0] ?? '');
  return [...imports].flatMap(([file, imported]) =>
    imported
      .filter((target) => relative(root, target).startsWith('..') || (place(file) >= 0 && place(target) > place(file)))
      .map((target) => `${file} imports ${target}`),
  );
}

/** The layer of a file, by the end of its name. */
type Layer = 'controller' | 'service' | 'repository' | 'schema' | 'other';

/** A layer must not import those behind it. */
const FORBIDDEN: Readonly<Record<Layer, readonly Layer[]>> = {
  controller: ['repository', 'schema'],
  service: ['controller'],
  repository: ['controller', 'service'],
  schema: ['controller', 'service', 'repository'],
  other: [],
};

/** Folders that every feature uses; they import no feature. */
const GROUND = ['common', 'config', 'database'];
const PRIVATE: readonly Layer[] = ['repository', 'schema'];

function layerOf(file: string): Layer {
  const [, layer = 'other'] = /\.(controller|service|repository|schema)\.ts$/.exec(file) ?? [];
  return layer as Layer;
}

/** The first folder below `src`; null for files directly in `src`. */
function folderOf(file: string): string | null {
  const [, folder, ...rest] = file.split(sep);
  return folder === undefined || rest.length === 0 ? null : folder;
}

/** The imports of `src` against the direction, as sentences. */
export function againstDirection(imports: Imports): string[] {
  return [...imports].flatMap(([file, imported]) =>
    imported.flatMap((target) => {
      const [from, to] = [folderOf(file), folderOf(target)];
      const against = (why: string): string => `${file} imports ${target}: ${why}`;
      const found: string[] = [];
      if (relative('src', target).startsWith('..')) found.push(against('outside of src'));
      if (FORBIDDEN[layerOf(file)].includes(layerOf(target))) found.push(against('against the layers'));
      if (from !== null && GROUND.includes(from) && (to === null || !GROUND.includes(to))) {
        found.push(against(`${from} imports no feature`));
      }
      if (from !== to && PRIVATE.includes(layerOf(target))) found.push(against("another feature's data"));
      return found;
    }),
  );
}
