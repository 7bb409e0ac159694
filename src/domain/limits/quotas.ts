interface Quota {
  /** The number that applies when `QUOTAS` has no other one. */
  readonly quota: number;
  /** The message of the error when the quota is reached. `%` is replaced by the number. */
  readonly reached: string;
}

/** How many of something one person or one shop may have at the same time. `QUOTAS` changes the numbers. */
export const QUOTAS = {
  shopsPerPerson: { quota: 20, reached: 'The person owns % shops' },
  keysPerPerson: { quota: 200, reached: 'The person has % API keys that work' },
  keysPerShop: { quota: 200, reached: 'The shop has % API keys that work' },
  teamPerShop: { quota: 100, reached: 'The team has % members and open invitations' },
  productsPerShop: { quota: 1_000, reached: 'The shop has % products' },
  categoriesPerShop: { quota: 100, reached: 'The shop has % categories' },
  serversPerShop: { quota: 100, reached: 'The shop has % game servers' },
  discountsPerShop: { quota: 5_000, reached: 'The shop has % discount codes' },
  bansPerShop: { quota: 5_000, reached: 'The shop has % bans' },
  webhooksPerShop: { quota: 20, reached: 'The shop has % webhooks' },
  /** The next two limit a buyer who has paid before, whom the first one does not stop. */
  openOrdersPerAddress: { quota: 10, reached: 'The address has % unpaid orders in this shop' },
  openOrdersPerMailbox: { quota: 20, reached: 'The mailbox has % unpaid orders in this shop from one address' },
  openOrdersPerNickname: { quota: 20, reached: 'The nickname has % unpaid orders in this shop from one address' },
  freeOrdersPerBuyer: { quota: 10, reached: 'The buyer has had % orders with nothing to pay in this shop in 24 hours' },
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
