import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Binary } from 'bson';
import { expect, it } from '@jest/globals';
import { docOf } from '../../test/support/documents.js';
import { encode } from '../values/bson.js';
import { Catalogue } from './catalogue.js';
import { Disk } from './disk.js';
import { doc } from '../values/types.js';
import { anyArrays } from './indexes.js';
import { catalogueKey } from './keys.js';

it.each<[string, Record<string, (number | boolean)[]>, number[]]>([
  ['this version', { arrays: [0, 2] }, [0, 2]],
  ['an earlier version, which stored only whether there are arrays', { multikey: [false, true] }, [0, anyArrays]],
])('an index knows where its documents have arrays, as %s stored it', async (_version, stored, arrays) => {
  const path = mkdtempSync(join(tmpdir(), 'store-'));
  const disk = new Disk(path);
  const spec = docOf({ key: { a: 1, 'b.c': 1 }, name: 'both' });
  const indexes = [doc({ id: 2, spec, long: false, ...stored })];
  const description = { namespace: 'd.c', id: 1, uuid: new Binary(), options: new Map(), indexes };
  await disk.write(() => disk.put(catalogueKey('d.c'), encode(doc(description))));
  const [collection] = new Catalogue(disk).list();
  expect(collection?.indexes[0]?.fields.map((field) => field.arrays)).toEqual(arrays);
  await disk.close();
  rmSync(path, { recursive: true, force: true });
});
