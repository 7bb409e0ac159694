/** What people want to do, with the tags of the operations for it. The order is that of the documentation page. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Set up a shop': {
    Accounts: 'Registration, sessions, passwords and the second factor of people.',
    Shops: 'Shops, their domains and settings, and what everybody may read of them.',
    Team: 'Who works in a shop, with which role, and invitations.',
    'API keys': 'Keys of programs: plugins, storefronts and servers of your own.',
  },
  'Sell products': {
    Products: 'Products and categories, for staff and for everybody.',
    'Tier groups': 'Products that are levels of one another, and what an upgrade costs.',
    Sales: 'Reduced prices for a time.',
    Discounts: 'Codes that reduce the price of an order.',
    Images: 'Pictures of products and shops.',
    Checkout: 'Quotes and orders of buyers.',
    Widgets: 'What a storefront may show of the sales of a shop.',
  },
  'Take payments': {
    Payments: 'Payment providers, payments, refunds and movements of money.',
    Orders: 'Orders, for their buyers and for staff.',
    Buyers: 'Everything about one buyer, and its erasure.',
    Bans: 'Buyers who cannot order.',
  },
  'Deliver to game servers': {
    Servers: 'Game servers and their status.',
    Deliveries: 'Commands for game servers: plugins lease them and report what came of them.',
    Entitlements: 'What a player owns.',
  },
  'Follow what happens': {
    Statistics: 'Figures of a time range, compared with an earlier one.',
    Webhooks: 'Webhooks to other systems, and what was sent to them.',
    Events: 'The bodies of webhooks: what the service sends.',
    Audit: 'Who changed what in a shop.',
  },
  'Run the service': {
    Health: 'Whether the service is alive and ready.',
    Meta: 'Permissions, roles, events and limits as data.',
  },
};

/** The described tags, as the section `tags` of the document. */
export const DESCRIBED_TAGS = Object.values(GROUPS).flatMap((tags) =>
  Object.entries(tags).map(([name, description]) => ({ name, description })),
);

/** The groups for documentation pages (`x-tagGroups`, which Redoc and Scalar read). */
export const TAG_GROUPS = Object.entries(GROUPS).map(([name, tags]) => ({ name, tags: Object.keys(tags) }));
