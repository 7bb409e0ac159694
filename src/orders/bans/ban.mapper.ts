import { type ShopContext } from '../../domain/principal/auth-context.js';
import { type Ban } from './ban.types.js';
import { type BanDto } from './dto/ban.dto.js';

/** A reason can name a buyer, so a plugin key reads neither the address nor the reason. */
export function toBanDto(ban: Ban, { readsBuyers }: Pick<ShopContext, 'readsBuyers'>): BanDto {
  const { id, nickname, email, reason, until, createdAt, createdBy } = ban;
  return {
    id,
    nickname,
    email: readsBuyers ? email : null,
    reason: readsBuyers ? reason : null,
    until: until?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    createdBy,
  };
}
