import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type IndexDefinition, Schema, type SchemaType } from 'mongoose';
import { read, ROOT, section, table } from './pages.js';

/** The fields of a shard key in their order, with 1 or 'hashed'. */
type ShardKey = [field: string, kind: number | string][];

const collectionOf = (schema: Schema): string => String(schema.get('collection'));

/** Reads a shard key as the page writes it: `{ shopId: 1, _id: 'hashed' }`. */
function keyOf(text: string): ShardKey {
  const fields = [...text.matchAll(/(\w+): (?:(1)|'(hashed)')/g)];
  return fields.map(([, field = '', ascending, hashed = '']) => [field, ascending === undefined ? hashed : 1]);
}

/** The schemas of all collections. */
async function allSchemas(): Promise<Schema[]> {
  const names = await readdir(join(ROOT, 'src'), { recursive: true });
  const files = names.filter((name) => name.endsWith('.schema.ts')).sort();
  const modules = await Promise.all(files.map((name) => import(join(ROOT, 'src', name)) as Promise<object>));
  const exported = modules.flatMap((module) => Object.values(module) as unknown[]);
  return exported.filter((value) => value instanceof Schema && value.get('collection') !== undefined) as Schema[];
}

/** The unique indexes that MongoDB does not allow in a collection with this shard key. `_id` is not among them. */
function forbiddenIndexes(schema: Schema, key: ShardKey): IndexDefinition[] {
  const unique = schema.indexes().flatMap(([fields, { unique }]) => (unique === true ? [fields] : []));
  const allowed = (fields: IndexDefinition): boolean =>
    key.every(([field, kind], place) => kind === 1 && Object.keys(fields)[place] === field);
  return unique.filter((fields) => !allowed(fields));
}

/** Whether an index of a schema, or that of `_id`, can be the index of a shard key: it starts with the key and has every document. */
function supports(schema: Schema, key: ShardKey): boolean {
  const whole = schema.indexes().filter(([, options]) => !options.partialFilterExpression && !options.sparse);
  const indexes: unknown[][] = [[['_id', 1]], ...whole.map(([fields]) => Object.entries(fields))];
  return indexes.some((index) => isDeepStrictEqual(index.slice(0, key.length), key));
}

/** The fields of a shard key that a document may lack, or that an update may change. MongoDB itself guards `_id`. */
function looseFields(schema: Schema, key: ShardKey): string[] {
  const fields = key.map(([field]) => field).filter((field) => field !== '_id');
  return fields.filter((field) => {
    const path = schema.path(field) as SchemaType | undefined;
    const { required, immutable, default: initial } = (path?.options ?? {}) as Record<string, unknown>;
    return immutable !== true || (required !== true && initial !== null);
  });
}

describe('The tables of docs/scale.md', () => {
  let schemas: Schema[];
  let sharded: [collection: string, key: ShardKey][];
  let unsharded: string[];
  let commands: string;

  const schemasOf = (collection: string): Schema[] => schemas.filter((schema) => collectionOf(schema) === collection);

  beforeAll(async () => {
    schemas = await allSchemas();
    const page = await read('docs/scale.md');
    const name = (cell = ''): string => cell.replaceAll('`', '');
    sharded = table(page, 'sharded').map(([collection, key = '']) => [name(collection), keyOf(key)]);
    unsharded = table(page, 'unsharded').map(([collection]) => name(collection));
    commands = section(page, 'commands');
  });

  it('name each collection of the service once, and no other', () => {
    const listed = [...sharded.map(([collection]) => collection), ...unsharded];
    expect(listed.sort()).toEqual([...new Set(schemas.map(collectionOf))].sort());
    expect(listed.length).toBeGreaterThan(30);
  });

  it('have a shard key with which each unique index of the collection starts', () => {
    const forbidden = sharded.flatMap(([collection, key]) =>
      schemasOf(collection).flatMap((schema) => forbiddenIndexes(schema, key).map((index) => ({ collection, index }))),
    );
    expect(forbidden).toEqual([]);
    expect(sharded.filter(([, key]) => key.length === 0)).toEqual([]);
  });

  it('have a shard key whose fields each document has, and which no update changes', () => {
    const loose = sharded.flatMap(([collection, key]) => {
      // One schema is enough: statistics read the orders with a second one, which writes nothing.
      const found = schemasOf(collection).map((schema) => looseFields(schema, key));
      return found.some((fields) => fields.length === 0) ? [] : [{ collection, found }];
    });
    expect(loose).toEqual([]);
  });

  it('have the same shard keys as the commands that shard the collections', () => {
    const run = [...commands.matchAll(/sh\.shardCollection\(ns\('(\w+)'\), (.*)\);/g)];
    expect(run.map(([, collection, key = '']) => [collection, keyOf(key)])).toEqual(sharded);
  });

  it('have an index for each shard key: that of a schema, or one of the commands', () => {
    const created = [...commands.matchAll(/db\.(\w+)\.createIndex\((.*)\);/g)];
    const missing = sharded.filter(
      ([collection, key]) => !schemasOf(collection).some((schema) => supports(schema, key)),
    );
    expect(created.map(([, collection, key = '']) => [collection, keyOf(key)])).toEqual(missing);
  });

  it('are checked by rules that find a unique index without the key, and a field that can be missing or change', () => {
    const schema = new Schema({
      shopId: { type: String, required: true, immutable: true },
      serverId: { type: String, default: null, immutable: true },
      code: { type: String, required: true },
      note: { type: String, immutable: true },
    });
    schema.index({ shopId: 1, code: 1 }, { unique: true });
    schema.index({ code: 1 });
    const byShop = keyOf('{ shopId: 1 }');
    expect(forbiddenIndexes(schema, byShop)).toEqual([]);
    for (const key of ['{ shopId: 1, _id: 1 }', "{ shopId: 'hashed' }", '{ code: 1 }', '{ code: 1, shopId: 1 }']) {
      expect(forbiddenIndexes(schema, keyOf(key))).toEqual([{ shopId: 1, code: 1 }]);
    }
    const loose = looseFields(schema, keyOf('{ _id: 1, shopId: 1, serverId: 1, code: 1, note: 1, other: 1 }'));
    expect(loose).toEqual(['code', 'note', 'other']);
  });
});
