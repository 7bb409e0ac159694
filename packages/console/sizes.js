// `npm run check`: what a browser loads before the first page is there, compressed with gzip. Exits with 1 above a limit.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const OUT = join(import.meta.dirname, '../../dist/console');
const LIMITS_KB = { script: 210, style: 25, font: 29 };
/** A page that is loaded when it is opened. */
const PAGE_KB = 40;

const manifest = JSON.parse(readFileSync(join(OUT, '.vite/manifest.json'), 'utf8'));
const size = (file) => {
  const content = readFileSync(join(OUT, file));
  return (file.endsWith('.woff2') ? content.length : gzipSync(content, { level: 9 }).length) / 1024;
};

/** The files of an entry and of everything that it loads at once. */
function filesOf(key, found = new Set()) {
  const { file, css = [], assets = [], imports = [] } = manifest[key];
  if (found.has(file)) return found;
  for (const name of [file, ...css, ...assets]) found.add(name);
  for (const name of imports) filesOf(name, found);
  return found;
}

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
const first = filesOf(entry);
// The texts of one language and the first page are loaded with it.
const english = Object.keys(manifest).find((key) => /lang\/en\.ts$/.test(key));
for (const file of filesOf(english)) first.add(file);
const sum = (end) => [...first].filter((file) => file.endsWith(end)).reduce((total, file) => total + size(file), 0);
const sizes = { script: sum('.js'), style: sum('.css'), font: sum('.woff2') };

let isTooLarge = false;
for (const [kind, limit] of Object.entries(LIMITS_KB)) {
  console.log(`${kind}: ${sizes[kind].toFixed(1)} KB of ${limit}`);
  isTooLarge ||= sizes[kind] > limit;
}
for (const [key, { isDynamicEntry }] of Object.entries(manifest)) {
  if (!isDynamicEntry) continue;
  const own = [...filesOf(key)].filter((file) => !first.has(file) && /\.(js|css)$/.test(file));
  const total = own.reduce((kilobytes, file) => kilobytes + size(file), 0);
  if (total > PAGE_KB) {
    console.log(`${key}: ${total.toFixed(1)} KB of ${PAGE_KB}`);
    isTooLarge = true;
  }
}
if (isTooLarge) {
  console.error('The console is larger than its budget.');
  process.exitCode = 1;
}
