import { type Tier } from '../../catalogue/tier-groups/tier-group.types.js';
import { type EntitlementDto, type EntitlementTierDto, type OwnedProductDto } from './dto/entitlement.dto.js';
import { type NamedEntitlement } from './entitlement-list.service.js';
import { shownState } from './entitlement-rules.js';
import { type OwnedProduct } from './entitlement.types.js';

export function toEntitlementDto(entitlement: NamedEntitlement): EntitlementDto {
  const { startsAt, endsAt } = entitlement;
  const state = shownState(entitlement, new Date());
  return {
    id: entitlement.id,
    nickname: entitlement.nickname,
    productId: entitlement.productId,
    productName: entitlement.productName,
    countsAs: entitlement.countsAs,
    serverId: entitlement.serverId,
    quantity: entitlement.quantity,
    state,
    endedBy: state === 'ended' ? (entitlement.endedBy ?? 'expired') : null,
    since: startsAt?.toISOString() ?? null,
    until: endsAt?.toISOString() ?? null,
    tier: toTierDto(entitlement.tier),
    orderId: entitlement.orderId,
    position: entitlement.position,
    changedAt: entitlement.changedAt.toISOString(),
  };
}

export function toOwnedProductDto({
  productId,
  countsAs,
  owned,
  pending,
  since,
  until,
  tier,
}: OwnedProduct): OwnedProductDto {
  const times = { since: since?.toISOString() ?? null, until: until?.toISOString() ?? null };
  return { productId, countsAs, owned, pending, ...times, tier: toTierDto(tier) };
}

function toTierDto(tier: Tier | null): EntitlementTierDto | null {
  if (tier === null) return null;
  const { group, productId, rank } = tier;
  return { groupId: group.id, groupName: group.name, productId, rank };
}
