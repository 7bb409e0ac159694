import { isFields } from './format.js';

/**
 * Two things that driver 7.8 sends differently from the specification, to every server. Tests of a server
 * should not fail for them, so they are undone in the events of the driver, each only in its one place:
 * 1. It puts `wtimeout: 10000` into every commit and abort that has a write concern (lib/sessions.js, `commitTransaction` and
 *    `abortTransaction`: `WriteConcern.apply(command, { wtimeoutMS: 10000, ... })`); the specification only into repeated commits.
 * 2. It queries GridFS files and chunks by `{ _id: { $eq: id } }` (lib/gridfs/index.js and download.js), the tests by `{ _id: id }`.
 */
export function asSpecified(command: unknown, expected: unknown): unknown {
  if (!isFields(command) || !isFields(expected)) return command;
  const [name = ''] = Object.keys(command);
  const { writeConcern, filter } = command;
  const wanted = expected['writeConcern'];
  if (
    ['commitTransaction', 'abortTransaction'].includes(name) &&
    isFields(writeConcern) &&
    isFields(wanted) &&
    !('wtimeout' in wanted)
  ) {
    const { wtimeout, ...rest } = writeConcern;
    return wtimeout === 10000 ? { ...command, writeConcern: rest } : command;
  }
  if (name === 'find' && /\.(files|chunks)$/.test(String(command['find'])) && isFields(filter))
    return { ...command, filter: Object.fromEntries(Object.entries(filter).map(plain)) };
  return command;
}

const plain = ([name, value]: [string, unknown]): [string, unknown] => [
  name,
  ['_id', 'files_id'].includes(name) && isFields(value) && '$eq' in value ? value['$eq'] : value,
];
