import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of the repository. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** The text of a file. @param path relative to the repository */
export function read(path: string): Promise<string> {
  return readFile(join(ROOT, path), 'utf8');
}

/** The paths of all pages of the documentation, with `llms.txt`: in the root, `docs/`, `bench/`, `src/` and each package. */
export async function pages(): Promise<string[]> {
  const packages = await readdir(join(ROOT, 'packages'));
  const folders = ['.', 'bench', ...packages.map((name) => join('packages', name))];
  const found = await Promise.all(
    folders.map(async (folder) => (await readdir(join(ROOT, folder))).map((name) => join(folder, name))),
  );
  const below = async (folder: string): Promise<string[]> =>
    (await readdir(join(ROOT, folder), { recursive: true })).map((name) => join(folder, name));
  return [...found.flat(), ...(await below('docs')), ...(await below('src'))]
    .filter((name) => name.endsWith('.md') || name === 'llms.txt')
    .sort();
}

/** The text between the comments `<!-- name:begin ... -->` and `<!-- name:end -->`; throws when they are missing. */
export function section(text: string, name: string): string {
  const found = new RegExp(`<!-- ${name}:begin[^>]*-->([^]*)<!-- ${name}:end -->`).exec(text)?.[1];
  if (found === undefined) throw new Error(`The page has no section ${name}`);
  return found.trim();
}

/** The cells of the rows of the table in a section, without its head. */
export function table(text: string, name: string): string[][] {
  const rows = section(text, name)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return rows.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
