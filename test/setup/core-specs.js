/**
 * The end-to-end specs of what the product exists for. `npm test` runs these, `npm run test:all` the others, too: the specs that guard
 * every route, the nine endpoints of the contract, a whole sale, and the erasure of a buyer. Each one must earn its seconds.
 */
export const CORE_SPECS = [
  'contract/access',
  'contract/audit-entries',
  'contract/authorization-matrix',
  'contract/database-commands',
  'contract/openapi',
  'contract/retention',
  'contract/tenancy',
  // The nine endpoints, in the order of the contract.
  'team/team',
  'api-keys/update',
  'api-keys/list',
  'discounts/validate',
  'nickname-changes/nickname-changes',
  'domains/domain-removal',
  'stats/comparison',
  'servers/status',
  'payments/webhooks',
  // A whole sale.
  'auth/sessions',
  'products/public-catalogue',
  'checkout/quote',
  'checkout/orders',
  'payments/buyer-payments',
  'deliveries/lease',
  'deliveries/acknowledge',
  'order-emails/order-emails',
  'refunds/refunds',
  'http/idempotency',
  'http/pipeline',
  'buyers/erasure',
].map((name) => `test/${name}.e2e-spec.ts`);
