import { type TierGroupDto } from './dto/tier-group.dto.js';
import { type TierGroup } from './tier-group.types.js';

export function toTierGroupDto({ id, name, productIds, createdAt }: TierGroup): TierGroupDto {
  return { id, name, productIds, createdAt: createdAt.toISOString() };
}
