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

/** The folders directly in a folder, and those of them that the files of each one import. */
export function foldersOf(imports: Imports, root: string): Imports {
  const folderOf = (file: string): string => relative(root, dirname(file)).split(sep)[0] ?? '';
  const folders = new Map<string, string[]>();
  for (const [file, targets] of imports) {
    const folder = folderOf(file);
    if (folder === '' || folder === '..') continue;
    const others = targets.map(folderOf).filter((other) => other !== folder);
    folders.set(folder, [...(folders.get(folder) ?? []), ...others]);
  }
  return folders;
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
