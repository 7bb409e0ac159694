import { type AuditAction } from '../../events/audit/audit.types.js';

/**
 * Where the database has something about the orders of a buyer, and the field that names the order or the delivery. One table for all
 * features, so that whoever is responsible for data protection can read in one place what is exported and erased.
 * `test/buyers/erasure.e2e-spec.ts` fails when a collection is in neither list.
 */
export const ABOUT_ORDERS = [
  { collection: 'deliveries', field: 'orderId', names: 'order' },
  { collection: 'delivery_attempts', field: 'deliveryId', names: 'delivery' },
  { collection: 'redemptions', field: 'orderId', names: 'order' },
  { collection: 'payments', field: 'orderId', names: 'order' },
  { collection: 'payment_events', field: 'orderId', names: 'order' },
  { collection: 'refunds', field: 'orderId', names: 'order' },
  { collection: 'movements', field: 'orderId', names: 'order' },
  { collection: 'stats_ledger', field: 'orderId', names: 'order' },
  // These two store the id as a string of hexadecimal digits.
  { collection: 'webhook_deliveries', field: 'stream', names: 'order as hex' },
  { collection: 'audit_log', field: 'subjectId', names: 'order as hex' },
  // Last: an erasure that was killed finds the orders again, and goes on with them.
  { collection: 'orders', field: '_id', names: 'order' },
] as const;

/** The entries of the audit log about bans. Each names its buyer. They stay when the ban has ended. */
export const BAN_ACTIONS: readonly AuditAction[] = ['ban.created', 'ban.deleted'];

/** Collections with something about buyers that no order names. `BuyersService` erases them, each in its own way. */
export const ABOUT_BUYERS = ['bans', 'stats_buyer_sums', 'outbox', 'nickname_change_codes', 'quota_claims'];

/**
 * Everything else. `idempotency_records` have responses about orders, encrypted for whoever has the `Idempotency-Key`, for 24 hours.
 */
export const NOT_ABOUT_BUYERS = [
  'api_keys',
  'categories',
  'command_lists',
  'counter_shards',
  'discounts',
  'encryption_keys',
  'erasure_keys',
  'game_servers',
  'idempotency_records',
  'invitations',
  'login_challenges',
  'mail_domains',
  'members',
  'migration_lock',
  'migrations',
  'outbox_lanes',
  'password_resets',
  'payment_providers',
  'products',
  'refresh_successors',
  'refresh_tokens',
  'rosters',
  'second_factors',
  'sessions',
  'shops',
  'stats_rollups',
  'stats_states',
  'users',
  'webhooks',
];

/**
 * What a field can hold. `player`, `mailbox`: one name and nothing else. `banKey`: a name behind the kind of the ban. `sentence`: names
 * among other words. `addresses`: a sentence of the service, with addresses at most. `query`: names behind the `?` of an address of a
 * page. `json`: a string of JSON. `changes`: changes of fields, of the audit log.
 */
export type NamingField = 'player' | 'mailbox' | 'banKey' | 'sentence' | 'addresses' | 'query' | 'json' | 'changes';

/**
 * The fields that can hold what a buyer is called: in the records above, in webhook bodies and in messages of the outbox. An erasure
 * changes these and no others.
 */
export const NAMING_FIELDS: ReadonlyMap<string, NamingField> = new Map([
  // Of orders, deliveries, attempts, redemptions, bans, and of events in messages and webhook bodies.
  ['nickname', 'player'],
  ['nicknameKey', 'player'],
  ['previousNickname', 'player'],
  ['deliveredTo', 'player'],
  ['waitsFor', 'player'],
  ['email', 'mailbox'],
  ['buyerKey', 'mailbox'],
  ['key', 'banKey'],
  // What staff, game servers and receivers of webhooks write.
  ['reason', 'sentence'],
  ['detail', 'sentence'],
  ['output', 'sentence'],
  ['response', 'sentence'],
  // A paragraph of an email to somebody else. An email with the buyer's nickname goes to the buyer, and is deleted.
  ['text', 'addresses'],
  // Of payments: a storefront can write the buyer into the address of its page.
  ['successUrl', 'query'],
  ['cancelUrl', 'query'],
  ['body', 'json'],
  ['changes', 'changes'],
]);

/** Fields that are secrets and not data about a buyer. */
export const SECRET_FIELD = /^sealed|Hash$/;
