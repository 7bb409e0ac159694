import { type EntitlementDto, type OwnedProductDto } from './dto/entitlement.dto.js';
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
}: OwnedProduct): OwnedProductDto {
  const times = { since: since?.toISOString() ?? null, until: until?.toISOString() ?? null };
  return { productId, countsAs, owned, pending, ...times };
}
