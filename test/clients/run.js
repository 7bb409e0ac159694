// `npm run long -- generated-clients [WORD]`: each generator of generators.js, or those whose name has the word, makes a client of the OpenAPI
// document of a real process with a demo shop, and the client takes STEPS with that process. The document is that of an older version of
// the service, so that clients also prove that responses may grow. A generator whose tools are absent and cannot be downloaded is left out
// with a message.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTarget } from '../attack/target.js';
import { GENERATORS, LeftOut, run } from './generators.js';

/** What every client does. It writes the name of each step when that has succeeded. */
const STEPS = [
  ...['login', 'shop', 'product', 'discount', 'webhook', 'validate', 'quote', 'order', 'comparison'],
  // A shop that does not exist: 404 with `shop_not_found`.
  'error',
];

/** Fields of many responses. No step reads or sends one. */
const NEWER_FIELDS = ['createdAt', 'updatedAt', 'timezone'];

/** The document without some fields, and without the last value of each list that may grow. */
function olderVersion(document) {
  for (const schema of Object.values(document.components.schemas)) {
    for (const field of NEWER_FIELDS) delete schema.properties?.[field];
    schema.required = schema.required?.filter((field) => !NEWER_FIELDS.includes(field));
    if (schema['x-extensible-enum']?.length > 1) schema['x-extensible-enum'].pop();
  }
  return document;
}

const word = process.argv[2] ?? '';
const target = await startTarget({ env: { DEMO: 'true', RATE_LIMIT_FACTOR: '100' } });
try {
  const document = join(target.dataDir, 'openapi.json');
  const current = await (await fetch(`${target.url}/openapi.json`)).json();
  writeFileSync(document, JSON.stringify(olderVersion(current)));
  const subject = [new URL(target.url).origin, join(target.dataDir, 'demo.json')];
  for (const [at, [name, generate]] of Object.entries(GENERATORS).entries()) {
    if (!name.includes(word)) continue;
    const folder = join(target.dataDir, `client-${at}`);
    mkdirSync(folder);
    try {
      const [command, parameters, options] = await generate({ document, folder });
      const steps = run(command, [...parameters, ...subject], options)
        .trim()
        .split('\n');
      if (steps.join() !== STEPS.join()) throw new Error(`It took the steps ${steps.join(', ')}`);
      console.log(`${name}: works`);
    } catch (error) {
      const isLeftOut = error instanceof LeftOut;
      console.log(`${name}: ${isLeftOut ? 'left out, because ' : 'FAILED\n'}${error.message}`);
      if (!isLeftOut) process.exitCode = 1;
    }
  }
} finally {
  await target.dispose();
}
