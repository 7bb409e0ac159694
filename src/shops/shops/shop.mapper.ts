import { MAX_NICKNAME_LENGTH } from '../../domain/buyers/nickname-pattern.js';
import { patternOf } from '../../domain/buyers/nickname-rule.js';
import { txtRecordName, txtRecordValue } from './hostname-rules.js';
import { type DomainDto } from './dto/domain.dto.js';
import {
  type ClosedShopDto,
  type OwnShopDto,
  type PublicShopDto,
  type ShopDetailsDto,
  type ShopDto,
} from './dto/shop.dto.js';
import { type LegalDto, type LegalPageDto } from './dto/legal.dto.js';
import { toRequiredConsentDto } from '../consents/consent.mapper.js';
import { type HostnameProof } from './shop-hostname.types.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { ALL_PERMISSIONS, permissionsOfRole } from '../../domain/principal/permissions.js';
import { decimalsOf } from '../../lib/money/money.js';
import { renderMarkdown } from '../../lib/formats/markdown.js';
import { WithVersion } from '../../http/responses/with-version.js';
import { eachPage, shopVersion, shownGoal } from './shop-input.js';
import { shownWidgets } from './shop-rules.js';
import { type LegalPage, type OwnShop, type Shop, type ShopDomain, type WholeShop } from './shop.types.js';

/** The URL of a shop's storefront: at its verified domain, or below the platform's domain. */
export function frontEndUrl(shop: Pick<Shop, 'uniqueName' | 'verifiedHostname'>, platformDomain: string): string {
  return `https://${shop.verifiedHostname ?? `${shop.uniqueName}.${platformDomain}`}`;
}

/** The contract's shop record: exactly six fields. */
export function toShopDto(shop: Shop, platformDomain: string): ShopDto {
  return {
    _id: shop.id,
    uniqueName: shop.uniqueName,
    displayName: shop.displayName,
    frontEndUrl: frontEndUrl(shop, platformDomain),
    isActive: shop.isActive,
    createdAt: shop.createdAt.toISOString(),
  };
}

/** A shop in the list of a person, with what the person may do there. */
export function toOwnShopDto(shop: OwnShop, platformDomain: string): OwnShopDto {
  return {
    ...toShopDto(shop, platformDomain),
    currency: shop.currency,
    currencyDecimals: decimalsOf(shop.currency),
    timezone: shop.timezone,
    accentColor: shop.accentColor,
    role: shop.role,
    permissions: ALL_PERMISSIONS.filter((permission) => permissionsOfRole(shop.role).has(permission)),
  };
}

function toDomainDto({ hostname, status, token }: ShopDomain, proof: HostnameProof | null): DomainDto {
  return {
    hostname,
    status,
    txtRecord: { name: txtRecordName(hostname), value: txtRecordValue(token) },
    missingSince: status === 'verified' ? (proof?.missingSince?.toISOString() ?? null) : null,
  };
}

function toLegalPageDto(page: LegalPage | null): LegalPageDto | null {
  return page && { ...page, html: page.text === null ? null : renderMarkdown(page.text) };
}

function toLegalDto({ seller, legalPages, consents }: WholeShop): LegalDto {
  return {
    ...seller,
    requiredConsents: consents.map(({ kind }) => kind),
    consents: consents.map(toRequiredConsentDto),
    pages: eachPage(legalPages, toLegalPageDto),
  };
}

/** What every page of a shop shows, also while it is closed. */
function toLook(shop: WholeShop, platformDomain: string) {
  const { logoUrl, logoId, lang, theme, links } = shop;
  return {
    ...toShopDto(shop, platformDomain),
    language: shop.language,
    supportEmail: shop.supportEmail,
    accentColor: shop.accentColor,
    ...{ logoUrl, logoId, lang, theme, links },
    legal: toLegalDto(shop),
  };
}

/** What everybody may see of a shop: of a closed one only what the page says that stands there instead. */
export function toVisitedShopDto(shop: WholeShop, platformDomain: string): PublicShopDto | ClosedShopDto {
  if (shop.isActive) return toPublicShopDto(shop, platformDomain);
  return { ...toLook(shop, platformDomain), closedText: shop.closedText };
}

function toPublicShopDto(shop: WholeShop, platformDomain: string): PublicShopDto {
  return {
    ...toLook(shop, platformDomain),
    currency: shop.currency,
    currencyDecimals: decimalsOf(shop.currency),
    timezone: shop.timezone,
    priceRule: shop.priceRule,
    hero: shop.hero,
    notice: shop.notice,
    goalText: shop.goalText,
    parts: shop.parts,
    widgets: shownWidgets(shop),
    nicknameRule: {
      preset: shop.nicknameRule.preset,
      pattern: patternOf(shop.nicknameRule),
      maxLength: MAX_NICKNAME_LENGTH,
    },
  };
}

export function toShopDetailsDto(shop: WholeShop, platformDomain: string): ShopDetailsDto {
  return {
    ...toPublicShopDto(shop, platformDomain),
    nicknameRule: { preset: shop.nicknameRule.preset, pattern: shop.nicknameRule.pattern },
    ownerEmails: [...shop.ownerEmails],
    widgets: [...shop.widgets],
    monthlyGoal: shownGoal(shop),
    closedText: shop.closedText,
    origins: shop.origins,
    domain: shop.domain && toDomainDto(shop.domain, shop.proof),
  };
}

export const toVersionedShop = (shop: WholeShop, platformDomain: string): WithVersion<ShopDetailsDto> =>
  new WithVersion(toShopDetailsDto(shop, platformDomain), shopVersion(shop));

/** The shop as this caller may see it. */
export function toShopView(
  shop: WholeShop,
  platformDomain: string,
  { publicView }: ShopContext,
): PublicShopDto | WithVersion<ShopDetailsDto> {
  return publicView ? toPublicShopDto(shop, platformDomain) : toVersionedShop(shop, platformDomain);
}
