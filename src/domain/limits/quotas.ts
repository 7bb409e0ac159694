interface Quota {
  /** The number that applies when `QUOTAS` has no other one. */
  readonly quota: number;
  /** What it counts, for people. */
  readonly description: string;
  /** The message of the error when the quota is reached. `%` is replaced by the number. */
  readonly reached: string;
}

/**
 * How many of something one person or one shop may have at the same time. `QUOTAS` changes the numbers. `GET /meta` shows them with their
 * descriptions.
 */
export const QUOTAS = {
  shopsPerPerson: {
    quota: 20,
    description: 'shops that a person owns, closed ones too',
    reached: 'The person owns % shops',
  },
  keysPerPerson: {
    quota: 200,
    description: 'API keys of a person that are not revoked or expired, in all shops',
    reached: 'The person has % API keys that work',
  },
  keysPerShop: {
    quota: 200,
    description: 'API keys of a shop that are not revoked or expired, of all members',
    reached: 'The shop has % API keys that work',
  },
  teamPerShop: {
    quota: 100,
    description: 'members and open invitations',
    reached: 'The team has % members and open invitations',
  },
  productsPerShop: { quota: 1_000, description: 'products', reached: 'The shop has % products' },
  categoriesPerShop: { quota: 100, description: 'categories of products', reached: 'The shop has % categories' },
  serversPerShop: { quota: 100, description: 'game servers', reached: 'The shop has % game servers' },
  discountsPerShop: { quota: 5_000, description: 'discount codes', reached: 'The shop has % discount codes' },
  salesPerShop: {
    quota: 200,
    description: 'sales that are planned or running',
    reached: 'The shop has % planned and running sales',
  },
  tierGroupsPerShop: { quota: 100, description: 'groups of tiers', reached: 'The shop has % groups of tiers' },
  consentTextsPerShop: {
    quota: 200,
    description: 'versions of what buyers agree to, also earlier ones',
    reached: 'The shop has % versions of what buyers agree to',
  },
  imagesPerShop: { quota: 1_000, description: 'images that a shop has uploaded', reached: 'The shop has % images' },
  bansPerShop: { quota: 5_000, description: 'bans in one shop', reached: 'The shop has % bans' },
  webhooksPerShop: { quota: 20, description: 'webhooks that a shop has created', reached: 'The shop has % webhooks' },
  /** The next two limit a buyer who has paid before, whom the first one does not stop. */
  openOrdersPerAddress: {
    quota: 10,
    description: 'unpaid orders in one shop from one address (IPv6: from one /64 network)',
    reached: 'The address has % unpaid orders in this shop',
  },
  openOrdersPerMailbox: {
    quota: 20,
    description: 'unpaid orders in one shop with one mailbox, from one address',
    reached: 'The mailbox has % unpaid orders in this shop from one address',
  },
  openOrdersPerNickname: {
    quota: 20,
    description: 'unpaid orders in one shop for one player, from one address',
    reached: 'The nickname has % unpaid orders in this shop from one address',
  },
  freeOrdersPerBuyer: {
    quota: 10,
    description: 'orders of a buyer with nothing to pay in one shop, in the last 24 hours',
    reached: 'The buyer has had % orders with nothing to pay in this shop in 24 hours',
  },
} as const satisfies Record<string, Quota>;

export type QuotaName = keyof typeof QUOTAS;

/** The numbers that apply in this process. */
export type Quotas = Readonly<Record<QuotaName, number>>;

export const DEFAULT_QUOTAS = Object.fromEntries(
  Object.entries(QUOTAS).map(([name, { quota }]) => [name, quota]),
) as Quotas;

const ENTRY = /^(\w+)=([1-9]\d{0,6})$/;

function isQuotaName(name: string): name is QuotaName {
  return Object.hasOwn(QUOTAS, name);
}

/**
 * Reads a list like `productsPerShop=5000,serversPerShop=10`. A quota that it does not name has its default.
 * @returns null when an entry is not the name of a quota and a number from 1 to 9,999,999
 */
export function readQuotas(text: string): Quotas | null {
  const given: Partial<Record<QuotaName, number>> = {};
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [, name = '', number] = ENTRY.exec(entry) ?? [];
    if (!isQuotaName(name)) return null;
    given[name] = Number(number);
  }
  return { ...DEFAULT_QUOTAS, ...given };
}
