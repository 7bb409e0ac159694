import { type AuditValue } from '../../events/audit/audit-rules.js';
import { present } from '../../domain/errors/change.js';
import { fingerprintOf } from '../../domain/errors/require-version.js';
import { LANGUAGES } from '../../lib/formats/languages.js';
import { checkedMinor, type MinorUnits, toMajor } from '../../lib/money/money.js';
import { type ConsentSettings } from '../consents/consent-rules.js';
import { type ConsentKind } from '../consents/consent.types.js';
import {
  type LegalPage,
  type LegalPageName,
  type LegalPages,
  OWNER_EMAILS,
  type Seller,
  type Shop,
  type ShopSettings,
  type WholeShop,
} from './shop.types.js';
import { type Hero, PAGE_PARTS, type ShopLink, type StorefrontSettings, type Theme } from './storefront.types.js';

export type Legal = Seller & { readonly requiredConsents: readonly ConsentKind[]; readonly pages: LegalPages };

/** The settings as the API has them: amounts in major units, and all that laws require in one object. */
export interface ShopInput extends Omit<ShopSettings, 'monthlyGoalMinor' | 'seller'> {
  readonly monthlyGoal: number | null;
  readonly legal: Legal;
}

type Change<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };
type LegalChange = Change<Omit<Legal, 'pages'>> & { readonly pages?: Change<LegalPages> | undefined };

/** The changes of a request. An absent field keeps its value, also inside of `legal`, its pages, `theme` and `hero`. */
export type ShopChange = Change<Omit<ShopInput, 'legal' | 'theme' | 'hero'>> & {
  readonly legal?: LegalChange | undefined;
  readonly theme?: Change<Theme> | undefined;
  readonly hero?: Change<Hero> | undefined;
};

type Mandatory = 'displayName' | 'timezone' | 'nicknameRule';

/** A shop to create. The settings that it may leave out have defaults. */
export type NewShop = Pick<Shop, 'uniqueName' | 'currency' | Mandatory> &
  Omit<ShopChange, Mandatory> & { readonly isActive?: boolean | undefined };

const DEFAULTS: Omit<ShopInput, Mandatory> = {
  language: LANGUAGES[0],
  supportEmail: null,
  accentColor: null,
  ownerEmails: OWNER_EMAILS,
  widgets: [],
  monthlyGoal: null,
  priceRule: 'eu',
  logoUrl: null,
  logoId: null,
  lang: null,
  theme: { font: 'manrope', mode: 'auto' },
  links: [],
  hero: { title: null, text: null, imageId: null, links: [] },
  notice: null,
  goalText: null,
  parts: PAGE_PARTS,
  closedText: null,
  origins: [],
  legal: {
    sellerName: null,
    address: null,
    vatId: null,
    taxNote: null,
    disclaimer: null,
    requiredConsents: [],
    pages: { imprint: null, terms: null, privacy: null, withdrawal: null },
  },
};

/** Completes the settings of a new shop. */
export function completed({
  displayName,
  timezone,
  nicknameRule,
  ...others
}: Omit<NewShop, 'uniqueName' | 'currency' | 'isActive'>): ShopInput {
  return merged({ ...DEFAULTS, displayName, timezone, nicknameRule }, others);
}

/** Settings after a change. */
export function merged(before: ShopInput, { legal = {}, theme = {}, hero = {}, ...others }: ShopChange): ShopInput {
  const { pages = {}, ...seller } = legal;
  return {
    ...before,
    ...present(others),
    theme: { ...before.theme, ...present(theme) },
    hero: { ...before.hero, ...present(hero) },
    legal: { ...before.legal, ...present(seller), pages: { ...before.legal.pages, ...present(pages) } },
  };
}

/** The goal of a shop in major units. */
export function shownGoal({ monthlyGoalMinor, currency }: Pick<Shop, 'monthlyGoalMinor' | 'currency'>): number | null {
  return monthlyGoalMinor === null ? null : toMajor(monthlyGoalMinor, currency);
}

/** The goal as it is stored. @param monthlyGoal in major units, without `settingProblems` */
function storedGoal(monthlyGoal: number | null, currency: string): MinorUnits | null {
  return monthlyGoal === null ? null : checkedMinor(monthlyGoal, currency);
}

/** What a shop says about its pages. */
export function storefrontOf(shop: StorefrontSettings): StorefrontSettings {
  const { logoUrl, logoId, lang, theme, links, hero, notice, goalText, parts, closedText, origins } = shop;
  return { logoUrl, logoId, lang, theme, links, hero, notice, goalText, parts, closedText, origins };
}

/** The images to which settings refer. */
export function imagesOf({ logoId, hero }: Pick<StorefrontSettings, 'logoId' | 'hero'>): readonly string[] {
  return [logoId, hero.imageId].flatMap((imageId) => imageId ?? []);
}

/** Returns stored settings as a request has them. */
export function toInput(shop: WholeShop): ShopInput {
  return {
    displayName: shop.displayName,
    timezone: shop.timezone,
    nicknameRule: shop.nicknameRule,
    language: shop.language,
    supportEmail: shop.supportEmail,
    accentColor: shop.accentColor,
    ownerEmails: shop.ownerEmails,
    widgets: shop.widgets,
    monthlyGoal: shownGoal(shop),
    priceRule: shop.priceRule,
    ...storefrontOf(shop),
    legal: {
      ...shop.seller,
      requiredConsents: shop.consents.map(({ kind }) => kind),
      pages: shop.legalPages,
    },
  };
}

/** The version of the settings of a shop. */
export const shopVersion = (shop: WholeShop): string => fingerprintOf(toInput(shop));

/** Returns what is stored, without the consents, which get versions. @param input without `settingProblems` */
export function toStored(
  {
    nicknameRule: { preset, pattern },
    monthlyGoal,
    notice,
    legal: { pages, requiredConsents: _, ...seller },
    ...same
  }: ShopInput,
  currency: string,
): ShopSettings & Pick<WholeShop, 'legalPages'> {
  return {
    ...same,
    nicknameRule: { preset, pattern },
    notice: notice && { ...notice },
    monthlyGoalMinor: storedGoal(monthlyGoal, currency),
    seller,
    legalPages: eachPage(pages, (page) => page && { text: page.text, url: page.url }),
  };
}

/** What decides what buyers must agree to. */
export function consentSettingsOf({ language, legal: { requiredConsents, pages } }: ShopInput): ConsentSettings {
  return { language, requiredConsents, terms: pages.terms };
}

/** What a function returns for each legal page. */
export function eachPage<Value>(
  pages: LegalPages,
  of: (page: LegalPage | null) => Value,
): { readonly [Name in LegalPageName]: Value } {
  const { imprint, terms, privacy, withdrawal } = pages;
  return { imprint: of(imprint), terms: of(terms), privacy: of(privacy), withdrawal: of(withdrawal) };
}

const linkInWords = ({ label, url }: ShopLink): string => `${label}: ${url}`;
const inWords = (page: LegalPage | null): string | null => page && (page.text ?? page.url);

/** Settings in the form of the audit log. */
export function settingsInWords({ nicknameRule, legal, ...others }: ShopInput): Readonly<Record<string, AuditValue>> {
  const { displayName, timezone, theme, links, hero, notice, ...rest } = others;
  const rule = [nicknameRule.preset, nicknameRule.pattern].filter((part) => part !== null).join(' ');
  const { pages, ...seller } = legal;
  return {
    ...{ displayName, timezone, nicknameRule: rule, ...rest },
    ...within('theme', { ...theme }),
    links: links.map(linkInWords),
    ...within('hero', { ...hero, links: hero.links.map(linkInWords) }),
    ...within('notice', { text: null, label: null, url: null, ...notice }),
    ...within('legal', seller),
    ...within('legal.pages', eachPage(pages, inWords)),
  };
}

/** The fields of an object in the audit log, with the name of the object before each. */
function within(name: string, fields: Readonly<Record<string, AuditValue>>): Readonly<Record<string, AuditValue>> {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [`${name}.${field}`, value]));
}
