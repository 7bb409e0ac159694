import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';

/** As far from `src/infrastructure/templates` as from `dist/infrastructure/templates`. */
const FOLDER = join(import.meta.dirname, '../../../templates/assets');
const TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.js': 'text/javascript; charset=utf-8',
};
const HASH_LENGTH = 12;

/** A file that pages use. It never changes at its address, which has its hash. */
export interface Asset {
  readonly hash: string;
  readonly type: string;
  readonly content: Buffer;
}

/** The pictures, fonts and module of the pages, read when the process starts. */
@Injectable()
export class Assets {
  private readonly files = new Map<string, Asset>(
    readdirSync(FOLDER)
      .filter((name) => extname(name) in TYPES)
      .map((name) => [name, assetOf(name)]),
  );

  /** The path of an asset below `root`. @param name of a file */
  pathOf(root: string, name: string): string {
    const file = this.files.get(name);
    if (file === undefined) throw new Error(`there is no asset ${name}`);
    return `${root}/assets/${file.hash}/${name}`;
  }

  /** null: there is none, or another one. */
  find(hash: string, name: string): Asset | null {
    const file = this.files.get(name);
    return file?.hash === hash ? file : null;
  }

  /** A style sheet, without what only people read. */
  styleSheet(name: string): string {
    const text = readFileSync(join(FOLDER, name), 'utf8');
    return text
      .replace(/\/\*.*?\*\//gs, '')
      .replace(/\s+/g, ' ')
      .replace(/ ?([{};,]) ?/g, '$1')
      .replace(/: /g, ':')
      .trim();
  }
}

function assetOf(name: string): Asset {
  const content = readFileSync(join(FOLDER, name));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_LENGTH);
  return { hash, content, type: TYPES[extname(name)] ?? '' };
}
