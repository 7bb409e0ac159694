import { type Collection } from 'mongodb';
import { type Fields, fieldsOf, list, NotInDriver, soleField, text } from './format.js';
import {
  common,
  cursor,
  define,
  opened,
  type Operation,
  type Operations,
  reading,
  watching,
  without,
} from './operation.js';

const finding = [
  ...cursor,
  ...['sort', 'projection', 'limit', 'skip', 'min', 'max', 'returnKey', 'showRecordId', 'noCursorTimeout'],
];
const writing = [...common, 'writeConcern', 'collation', 'hint', 'let', 'bypassDocumentValidation'];
const updating = [...writing, 'upsert', 'arrayFilters', 'sort'];
const modifying = [...updating, 'projection', 'returnDocument'];
const inserting = [...common, 'writeConcern', 'ordered', 'bypassDocumentValidation'];
const creating = [...common, 'writeConcern', 'commitQuorum'];

const bulkModel = (model: Fields): never => {
  const [kind, content] = soleField(model);
  return { [kind]: content } as never;
};
const copies = (documents: unknown): Fields[] => list(documents).map((document) => ({ ...document }));
const returning = (options: Fields): never => {
  const { returnDocument, ...rest } = options;
  return (
    returnDocument === undefined ? rest : { ...rest, returnDocument: text(returnDocument).toLowerCase() }
  ) as never;
};
const notInDriver = (name: string): Operation<unknown> =>
  define([], ['map', 'reduce', 'out'], () => {
    throw new NotInDriver(`the driver does not have the operation ${name}`);
  });

export const collectionOperations: Operations<Collection> = {
  aggregate: define(['pipeline'], [...cursor, 'bypassDocumentValidation', 'writeConcern'], (target, given, options) =>
    target.aggregate(list(given['pipeline']), options).toArray(),
  ),
  bulkWrite: define(['requests'], [...inserting, 'let'], (target, given, options) =>
    target.bulkWrite(list(given['requests']).map(bulkModel), options),
  ),
  // Deprecated in the driver, but the format has tests of it.
  count: define(['filter'], [...reading, 'limit', 'skip'], (target, given, options) =>
    (target as unknown as { count: Collection['countDocuments'] }).count(fieldsOf(given['filter']), options),
  ),
  countDocuments: define(['filter'], [...reading, 'limit', 'skip'], (target, given, options) =>
    target.countDocuments(fieldsOf(given['filter']), options),
  ),
  createChangeStream: define(['pipeline'], watching, (target, given, options) =>
    opened(target.watch(list(given['pipeline']), options)),
  ),
  createFindCursor: define(['filter'], finding, (target, given, options) =>
    opened(target.find(fieldsOf(given['filter']), options)),
  ),
  createIndex: define(
    ['keys', 'name', 'unique', 'sparse', 'expireAfterSeconds', 'partialFilterExpression'],
    creating,
    (target, { keys, ...given }, options) =>
      target.createIndexes([{ key: keys as never, ...without(given, creating) }], options),
  ),
  deleteMany: define(['filter'], writing, (target, given, options) =>
    target.deleteMany(fieldsOf(given['filter']), options),
  ),
  deleteOne: define(['filter'], writing, (target, given, options) =>
    target.deleteOne(fieldsOf(given['filter']), options),
  ),
  distinct: define(['fieldName', 'filter'], reading, (target, given, options) =>
    target.distinct(text(given['fieldName']), fieldsOf(given['filter']), options),
  ),
  dropIndex: define(['name'], [...common, 'writeConcern'], (target, given, options) =>
    target.dropIndex(text(given['name']), options),
  ),
  estimatedDocumentCount: define([], [...common, 'readConcern'], (target, _given, options) =>
    target.estimatedDocumentCount(options),
  ),
  find: define(['filter'], finding, (target, given, options) =>
    target.find(fieldsOf(given['filter']), options).toArray(),
  ),
  findOne: define(['filter'], finding, (target, given, options) => target.findOne(fieldsOf(given['filter']), options)),
  findOneAndDelete: define(['filter'], [...writing, 'sort', 'projection'], (target, given, options) =>
    target.findOneAndDelete(fieldsOf(given['filter']), options),
  ),
  findOneAndReplace: define(['filter', 'replacement'], modifying, (target, given, options) =>
    target.findOneAndReplace(fieldsOf(given['filter']), fieldsOf(given['replacement']), returning(options)),
  ),
  findOneAndUpdate: define(['filter', 'update'], modifying, (target, given, options) =>
    target.findOneAndUpdate(fieldsOf(given['filter']), given['update'] as Fields, returning(options)),
  ),
  insertMany: define(['documents'], inserting, (target, given, options) =>
    target.insertMany(copies(given['documents']), options),
  ),
  insertOne: define(['document'], inserting, (target, given, options) =>
    target.insertOne({ ...fieldsOf(given['document']) }, options),
  ),
  listIndexes: define([], [...common, 'batchSize'], (target, _given, options) => target.listIndexes(options).toArray()),
  listIndexNames: define([], [...common, 'batchSize'], async (target, _given, options) =>
    (await target.listIndexes(options).toArray()).map(({ name }) => name as unknown),
  ),
  mapReduce: notInDriver('mapReduce'),
  replaceOne: define(['filter', 'replacement'], updating, (target, given, options) =>
    target.replaceOne(fieldsOf(given['filter']), fieldsOf(given['replacement']), options),
  ),
  updateMany: define(['filter', 'update'], updating, (target, given, options) =>
    target.updateMany(fieldsOf(given['filter']), given['update'] as Fields, options),
  ),
  updateOne: define(['filter', 'update'], updating, (target, given, options) =>
    target.updateOne(fieldsOf(given['filter']), given['update'] as Fields, options),
  ),
};
