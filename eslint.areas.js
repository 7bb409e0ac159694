/** The areas of `src` (docs/architecture.md). Each one may import those before it; the linter rejects everything else. */
export const AREAS = [
  'platform',
  'events',
  'accounts',
  'shops',
  'catalogue',
  'access',
  'delivery',
  'orders',
  'payments',
  'analytics',
  'notifications',
  'app',
];
