// Checks each database command of an application under test against two rules of the house style that no type expresses: what runs in
// a transaction is sent in its session, and a command about records of a shop names the shop. Used by app-process.js.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Transactions } from '../../dist/infrastructure/database/transactions.js';

/** The records that belong to a person as well as to a shop: a filter may name the person instead. */
const OF_PERSONS = new Set(['api_keys', 'members', 'preferences']);

const BY_SECRET = 'whoever knows the secret may use the record, in whatever shop it is';
const PUBLIC = 'the endpoint is public, and its path has no shop';
const JOB = 'a job works for all shops';
const METRIC = 'the metrics of the operator are about all shops';

/**
 * The other filters without a shop that are right, with the reason: command, collection, and the fields in the order of the alphabet,
 * each with the operator of its condition.
 */
const WITHOUT_SHOP = {
  'find api_keys hashes': BY_SECRET,
  'findAndModify connect_codes codeHash expiresAt.$gt usedBy.$in': BY_SECRET,
  'find invitations expiresAt.$gt tokenHash': BY_SECRET,
  'findAndModify invitations email expiresAt.$gt tokenHash': BY_SECRET,
  'find orders _id accessTokenHash': BY_SECRET,
  'find used_tokens _id expiresAt.$gt': BY_SECRET,
  'find orders _id': PUBLIC,
  'find game_servers _id archivedAt': PUBLIC,
  'find payments paymentId provider': PUBLIC,
  'find deliveries attemptsLeft dueAt.$lte state': JOB,
  'find deliveries nameCheckAt.$lte': JOB,
  'update deliveries _id.$in': JOB,
  'find entitlements endDueAt.$lte': JOB,
  'update entitlements _id.$in': JOB,
  'find sales announces.at.$lte': JOB,
  'find stats_ledger profileDueAt.$lte': JOB,
  'update stats_ledger _id.$in': JOB,
  'find game_servers announced archivedAt seenAt.$lt': JOB,
  'find game_servers announced.$in archivedAt seenAt.$gte': JOB,
  'find game_servers archivedAt timesDueAt.$lte': JOB,
  'find game_servers deliveriesEndAt.$lte': JOB,
  'update game_servers _id.$in': JOB,
  'find images checkAt.$lte': JOB,
  'update images _id.$in': JOB,
  'find orders expiryDueAt.$lte status': JOB,
  'find owner_notices nextAt.$lte waiting.$gt': JOB,
  'update orders _id.$in': JOB,
  'find payments dueAt.$lte provider': JOB,
  'find payments dueAt.$lte provider.$in': JOB,
  'update payments _id.$in': JOB,
  'find refunds dueAt.$lte provider': JOB,
  'find refunds dueAt.$lte provider.$in': JOB,
  'update refunds _id.$in': JOB,
  'find stats_ledger pending': JOB,
  'find stats_states phase.$in': JOB,
  'aggregate deliveries dueAt.$lte state waitsFor': METRIC,
  'aggregate orders _id.$gte origin.$ne': METRIC,
  'aggregate orders paymentStatus.$in': METRIC,
  'aggregate payments _id.$gte': METRIC,
  'aggregate payment_events _id.$gte': METRIC,
  'aggregate payment_events receivedAt.$gte state.$in': METRIC,
  'aggregate refunds _id.$gte': METRIC,
};

/** The session of the transaction in which the current code runs. */
const running = new AsyncLocalStorage();

const { run } = Transactions.prototype;
Transactions.prototype.run = function (work, options) {
  return run.call(this, (session) => running.run(session, () => work(session)), options);
};

/** The filters of a command; none for a command that has no filter, such as `insert`. */
function filtersOf(commandName, command) {
  switch (commandName) {
    case 'find':
      return [command.filter];
    case 'aggregate':
      return [command.pipeline[0]?.$match ?? {}];
    case 'count':
    case 'distinct':
    case 'findAndModify':
      return [command.query ?? {}];
    case 'update':
      return command.updates.map(({ q }) => q);
    case 'delete':
      return command.deletes.map(({ q }) => q);
    default:
      return [];
  }
}

/** Whether all records that a filter finds have one value in a field. */
const names = (field, { [field]: value, $and = [], $or = [] }) =>
  (value !== undefined && value?.$in === undefined) ||
  $and.some((part) => names(field, part)) ||
  ($or.length > 0 && $or.every((part) => names(field, part)));

/** The fields of a filter in the order of the alphabet, such as `_id.$in userId`. */
const fieldsOf = (filter) =>
  Object.entries(filter)
    .map(([field, condition]) => {
      const operator = Object.keys(condition ?? {})[0];
      return operator?.startsWith('$') ? `${field}.${operator}` : field;
    })
    .sort()
    .join(' ');

const hexOf = ({ id }) => id.toString('hex');

/**
 * Watches the commands of an application from now on.
 * @param connection the mongoose connection of the application
 * @returns the violations so far, in words, each once; the set grows
 */
export function watchRules(connection) {
  const ofShops = new Set(
    Object.values(connection.models)
      .filter(({ schema }) => schema.path('shopId') !== undefined)
      .map(({ collection }) => collection.collectionName),
  );
  // The outbox belongs to the service. The shop of an entry is information for its handler.
  ofShops.delete('outbox');
  const violations = new Set();
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    const collection = command[commandName];
    const session = running.getStore();
    const isInSession = command.autocommit === false && hexOf(command.lsid) === hexOf(session?.id ?? command.lsid);
    if (session !== undefined && !isInSession) {
      violations.add(`A command in a transaction is sent without its session: ${commandName} ${collection}`);
    }
    if (!ofShops.has(collection)) return;
    for (const filter of filtersOf(commandName, command)) {
      if (names('shopId', filter) || (OF_PERSONS.has(collection) && names('userId', filter))) continue;
      const found = `${commandName} ${collection} ${fieldsOf(filter)}`;
      if (!(found in WITHOUT_SHOP)) violations.add(`A filter names no shop: ${found}`);
    }
  });
  return violations;
}
