import { txtRecordName, txtRecordValue } from './domain-rules.js';
import { type DomainDto } from './dto/domain.dto.js';
import { type ShopDetailsDto, type ShopDto } from './dto/shop.dto.js';
import { type Shop } from './shop.types.js';

/** Where buyers find a shop: its verified domain, or its place below the platform's. */
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

function toDomainDto({ hostname, status, token }: NonNullable<Shop['domain']>): DomainDto {
  return {
    hostname,
    status,
    txtRecord: { name: txtRecordName(hostname), value: txtRecordValue(token) },
  };
}

export function toShopDetailsDto(shop: Shop, platformDomain: string): ShopDetailsDto {
  return {
    ...toShopDto(shop, platformDomain),
    currency: shop.currency,
    timezone: shop.timezone,
    nicknameRule: { preset: shop.nicknameRule.preset, pattern: shop.nicknameRule.pattern },
    domain: shop.domain && toDomainDto(shop.domain),
  };
}
