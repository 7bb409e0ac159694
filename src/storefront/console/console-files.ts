import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';

/** What `npm run build` makes of packages/console, as far from `src/storefront/console` as from `dist/storefront/console`. */
const FOLDER = join(import.meta.dirname, '../../../dist/console');
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const ENDINGS = { br: '.br', gzip: '.gz', identity: '' } as const;
const NONCE_BYTES = 16;

export type Encoding = keyof typeof ENDINGS;

/** A file as it is sent. */
export interface ConsoleFile {
  readonly type: string;
  readonly content: Buffer;
  readonly encoding: Encoding;
}

/** The HTML of the console for one response. */
export interface ConsolePage {
  readonly html: string;
  /** The Content-Security-Policy. */
  readonly policy: string;
}

/** The built console. Files are read when they are asked for, because `npm run dev` builds them again. */
@Injectable()
export class ConsoleFiles {
  /**
   * Every page of the console is this one.
   * @param root the path of PUBLIC_URL, without a slash at its end
   * @throws AppError service_unavailable while the console is being built
   */
  async page(root: string): Promise<ConsolePage> {
    const built = await readOrNull('index.html');
    if (built === null) throw new AppError('service_unavailable');
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const html = built
      .toString()
      .replaceAll('="./', `="${root}/console/`)
      .replace('{{root}}', root)
      .replace('{{nonce}}', nonce);
    return { html, policy: policyOf(nonce) };
  }

  /** null: there is none. @param encoding that the client prefers; a picture or a font is sent without one */
  async asset(name: string, encoding: Encoding): Promise<ConsoleFile | null> {
    const type = TYPES[extname(name)];
    // Only a name that the build wrote: no path leads out of the folder.
    const names = await readdir(join(FOLDER, 'assets')).catch((): string[] => []);
    if (type === undefined || !names.includes(name)) return null;
    const compressed = `${name}${ENDINGS[encoding]}`;
    const chosen = names.includes(compressed) ? compressed : name;
    const content = await readOrNull(join('assets', chosen));
    return content && { type, content, encoding: chosen === name ? 'identity' : encoding };
  }
}

async function readOrNull(path: string): Promise<Buffer | null> {
  try {
    return await readFile(join(FOLDER, path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Scripts, pictures and fonts of our own and nothing else. The nonce is for the styles that Mantine adds; pictures that the owner has
 * just chosen are shown from `blob:`.
 */
function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
