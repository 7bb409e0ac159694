import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** `npm run build` writes it: scripts/build.js. */
const COMMIT_FILE = join(ROOT, 'dist', 'commit');

/** Which version of the product a process runs. The class is also the token under which Nest injects it. */
export abstract class ProductVersion {
  /** That of `package.json` and `CHANGELOG.md`. */
  abstract readonly version: string;
  /** The id of the commit, with `-dirty` after it when files were changed since; null: unknown at the build. */
  abstract readonly commit: string | null;
}

export function readProductVersion(): ProductVersion {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
  return { version, commit: readCommit() };
}

function readCommit(): string | null {
  try {
    return readFileSync(COMMIT_FILE, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
