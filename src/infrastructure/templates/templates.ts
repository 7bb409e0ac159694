import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Eta } from 'eta/core';

/** As far from `src/infrastructure/templates` as from `dist/infrastructure/templates`. */
const FOLDER = join(import.meta.dirname, '../../../templates');
const HTML_END = '.html.eta';
const TEXT_END = '.txt.eta';

/** A value that is missing is a fault of the caller: no reader ever sees `undefined` in the place of a name. */
function filled(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new Error(`a template got ${value === null ? 'null' : typeof value} instead of a string`);
}

/** Compiles every template file with one ending. A template is named by its path: `@pages/order` is `pages/order.html.eta`. */
function engineOf(folder: string, end: string, autoEscape: boolean): Eta {
  // The core of eta reads no files, so no name can lead out of the folder.
  const engine = new Eta({ autoEscape, autoFilter: true, filterFunction: filled });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(end));
  for (const file of files) {
    const name = file.slice(0, -end.length).replaceAll('\\', '/');
    engine.loadTemplate(`@${name}`, engine.compile(readFileSync(join(folder, file), 'utf8')));
  }
  return engine;
}

/**
 * The templates of pages and emails. All of them are compiled when the process starts, so a mistake in one stops the start.
 * A template gets its values as `it`; a value that is neither a string nor a number throws.
 */
@Injectable()
export class Templates {
  private readonly htmlEngine: Eta;
  private readonly textEngine: Eta;

  constructor(folder: string = FOLDER) {
    this.htmlEngine = engineOf(folder, HTML_END, true);
    this.textEngine = engineOf(folder, TEXT_END, false);
  }

  /** HTML from `templates/{name}.html.eta`. `<%= %>` escapes every value. */
  html(name: string, values: object): string {
    return this.htmlEngine.render(`@${name}`, values);
  }

  /** Plain text from `templates/{name}.txt.eta`. Nothing is escaped. */
  text(name: string, values: object): string {
    return this.textEngine.render(`@${name}`, values);
  }
}
