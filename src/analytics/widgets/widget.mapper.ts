import { toMajor } from '../../lib/money/money.js';
import { type Purchase } from '../../orders/order/purchase.types.js';
import { type GoalDto } from './dto/goal.dto.js';
import { type RecentPurchaseDto } from './dto/recent-purchase.dto.js';
import { type TopBuyerDto } from './dto/top-buyer.dto.js';
import { percentReached, shownPlayer } from './widget-rules.js';
import { type GoalProgress, type TopBuyer } from './widget.types.js';

export function toRecentPurchaseDto({ nickname, paidAt, items }: Purchase): RecentPurchaseDto {
  return {
    nickname: shownPlayer(nickname),
    paidAt: paidAt.toISOString(),
    items: items.map(({ name, quantity }) => ({ name, quantity })),
  };
}

export function toTopBuyerDto({ rank, nickname }: TopBuyer): TopBuyerDto {
  return { rank, nickname: shownPlayer(nickname) };
}

export function toGoalDto({ targetMinor, netMinor, month, currency }: GoalProgress): GoalDto {
  return {
    target: toMajor(targetMinor, currency),
    reached: toMajor(netMinor, currency),
    percent: percentReached(netMinor, targetMinor),
    currency,
    from: month.from.toISOString(),
    to: month.to.toISOString(),
  };
}
