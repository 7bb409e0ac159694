import { orInvalid } from '../../src/domain/errors/or-invalid.js';
import { readZone } from '../../src/lib/time/local-time.js';
import { withInstants } from '../../src/lib/time/instant.js';
import { type ShopsService } from '../../src/shops/shops/shops.service.js';
import { type WholeShop } from '../../src/shops/shops/shop.types.js';
import { PAGE_PARTS, type Theme } from '../../src/shops/shops/storefront.types.js';
import { SHOP, USER } from './contexts.js';

const BERLIN = orInvalid(readZone('Europe/Berlin'));

/** A shop service that knows the time zone of `shopWith`, and nothing else. */
export const shopTimes = {
  withInstants: <Values extends object>(_shopId: string, values: Values) =>
    Promise.resolve(withInstants(values, BERLIN)),
} as unknown as ShopsService;

const SELLER = { sellerName: null, address: null, vatId: null, taxNote: null, disclaimer: null };
const LEGAL_PAGES = { imprint: null, terms: null, privacy: null, withdrawal: null };

/** `legal` of a shop that has said nothing about itself. */
export const NO_LEGAL = { ...SELLER, requiredConsents: [], consents: [], pages: LEGAL_PAGES };

const THEME: Theme = { font: 'manrope', mode: 'auto' };

/** What the public sees of the pages of a shop that has said nothing about them. */
export const STOREFRONT = {
  ...{ logoUrl: null, logoId: null, lang: null, theme: THEME, links: [] },
  ...{ hero: { title: null, text: null, imageId: null, links: [] }, notice: null, goalText: null, parts: PAGE_PARTS },
} as const;

/** An open shop without a custom domain. */
export function shopWith(fields: Partial<WholeShop> = {}): WholeShop {
  return {
    id: SHOP,
    uniqueName: 'sky-realm',
    displayName: 'Sky Realm',
    currency: 'EUR',
    timezone: 'Europe/Berlin',
    nicknameRule: { preset: 'minecraft-java', pattern: null },
    language: 'en',
    supportEmail: null,
    accentColor: null,
    ownerEmails: ['sale', 'dispute', 'delivery_failed', 'server_offline'],
    widgets: [],
    monthlyGoalMinor: null,
    priceRule: 'eu',
    ...STOREFRONT,
    ...{ closedText: null, origins: [] },
    seller: SELLER,
    legalPages: LEGAL_PAGES,
    consents: [],
    isActive: true,
    domain: null,
    verifiedHostname: null,
    proof: null,
    catalogueRevision: null,
    createdAt: new Date('2026-11-21T12:00:00.000Z'),
    createdBy: `user:${USER}`,
    updatedAt: null,
    updatedBy: null,
    ...fields,
  };
}
