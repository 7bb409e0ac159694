import { type Texts } from './texts.ts';

/** One JSON file for each part of the console: another page adds a file and changes none. */
const FILES = import.meta.glob<Texts>('./en/*.json', { eager: true, import: 'default' });
export const TEXTS: Texts = Object.assign({}, ...Object.values(FILES)) as Texts;
