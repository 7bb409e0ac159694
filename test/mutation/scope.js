import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The code in src whose faults cost money, give access or break uniqueness. Whole folders, and single files of other folders. */
const SCOPE = [
  // Money: prices, discounts, orders and their payments, the deliveries that they pay for, and requests that must count
  // once.
  'orders/checkout',
  'catalogue/commands',
  'lib/money',
  'infrastructure/database/claim-due.ts',
  'infrastructure/database/sharded-counters.ts',
  'infrastructure/database/shards.ts',
  'delivery/deliveries',
  'catalogue/discounts',
  'infrastructure/idempotency',
  'orders/ending',
  'orders/order',
  'orders/settling',
  'orders/staff',
  'payments',
  'infrastructure/quotas',
  'orders/reservations',
  'analytics/stats/rollups/sale-sums.ts',
  // Access: callers, their permissions, and their credentials.
  'access/api-keys',
  'access/auth',
  'orders/bans',
  'domain/principal',
  'lib/crypto',
  'shops/memberships',
  'orders/nickname-changes',
  'accounts/second-factor',
  'access/team',
  'accounts/users',
  // Uniqueness: names that exist once, and states that change once.
  'lib/states',
  'infrastructure/database/database-errors.ts',
  'shops/domains',
  'catalogue/products',
  'catalogue/servers',
  'shops/shops',
];

/**
 * The code of the embedded store that decides what is stored, and what a query and a transaction see of it. It is mutated only
 * when a path names it: its specs open a store, so that a mutant takes seconds instead of a tenth of one.
 */
const STORE = ['planner', 'query', 'storage', 'transactions'];

/**
 * What runs only in the service as a whole (routes, what Nest and mongoose read at the start, HTTP and DNS) or is copy
 * for people. The end-to-end specs test it, on the compiled service, where a mutant cannot be.
 */
const END_TO_END = [
  /\.(module|controller|mapper|schema|decorators?|strategy|interceptor)\.ts$/,
  /\/dto\//,
  /-(email-copy|emails(\.service)?)\.ts$/,
  // The guide describes each provider in the OpenAPI document. It decides nothing.
  /\/(access-tokens|device|domain-resolver|provider-guide|provider-parameter|shows-secret-once)\.ts$/,
  // What takes the data directory of the embedded store. Its specs run several processes.
  /\/storage\/(datafile|directory|owner)\.ts$/,
];

const filesOf = (path) =>
  statSync(path).isDirectory() ? readdirSync(path, { recursive: true }).map((name) => join(path, name)) : [path];

/** The files to mutate, relative to the root of the repository. `paths` limits them to folders or files. */
export function filesInScope(paths) {
  const service = SCOPE.map((path) => join('src', path));
  const store = STORE.map((path) => join('packages/embedded-mongodb/src', path));
  return (paths.length === 0 ? service : [...service, ...store])
    .flatMap(filesOf)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .filter((file) => !END_TO_END.some((pattern) => pattern.test(file)))
    .filter((file) => paths.length === 0 || paths.some((path) => `${file}/`.startsWith(`${path.replace(/\/$/, '')}/`)))
    .sort();
}

/** The folder of the workspace that a file belongs to. */
export const workspaceOf = (file) => /^packages\/[^/]+/.exec(file)?.[0] ?? '.';
