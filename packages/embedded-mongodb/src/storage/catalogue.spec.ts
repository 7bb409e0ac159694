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
import { catalogueKey } from './keys.js';

it('reads from the disk where the documents of an index have arrays', async () => {
  const path = mkdtempSync(join(tmpdir(), 'store-'));
  const disk = new Disk(path);
  const spec = docOf({ key: { a: 1, 'b.c': 1 }, name: 'both' });
  const indexes = [doc({ id: 2, spec, long: false, arrays: [0, 2] })];
  const description = { namespace: 'd.c', id: 1, uuid: new Binary(), options: new Map(), indexes };
  await disk.write(() => disk.put(catalogueKey('d.c'), encode(doc(description))));
  const [collection] = new Catalogue(disk).list();
  expect(collection?.indexes[0]?.fields.map((field) => field.arrays)).toEqual([0, 2]);
  await disk.close();
  rmSync(path, { recursive: true, force: true });
});
