import { type NicknameChangeDto } from './dto/nickname-change.dto.js';
import { type NicknameChange } from './nickname-change.types.js';

export function toNicknameChangeDto(change: NicknameChange): NicknameChangeDto {
  const { orderId, previousNickname, nickname, changedAt } = change;
  return { orderId, previousNickname, nickname, changedAt: changedAt.toISOString() };
}
