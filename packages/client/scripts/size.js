// `npm run size`: what the client costs a page, as the files are, before anything shortens them.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMIT = 12 * 1024;
const folder = new URL('../dist/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
const code = Buffer.concat(files.map((name) => readFileSync(new URL(name, folder))));
const size = gzipSync(code).length;
console.log(`The client has ${size} bytes, gzip, of at most ${LIMIT}`);
if (size > LIMIT) process.exit(1);
