import { type ListedServer } from '../../catalogue/servers/servers.service.js';
import { type GoalProgress, type TopBuyer } from '../../analytics/widgets/widget.types.js';
import { percentReached } from '../../analytics/widgets/widget-rules.js';
import { isErasedNickname } from '../../domain/buyers/erased-buyer.js';
import { formatMoney, formatShare, monthName, timeAgo, timeNeeded, timeSpan } from '../../lib/formats/formats.js';
import { type Language } from '../../lib/formats/languages.js';
import { type Purchase } from '../../orders/order/purchase.types.js';
import { faceOf } from './figures.js';
import { type StorefrontCopy } from './storefront-copy.js';

interface Reader {
  readonly language: Language;
  readonly copy: StorefrontCopy;
}

/** The servers with what their plugins report, and the addresses where players connect, each once. */
export function serversView(servers: readonly ListedServer[], { language, copy }: Reader, now: Date) {
  const addresses = servers.flatMap(({ server: { address } }) => (address === null ? [] : [address]));
  return {
    name: 'servers',
    addresses: [...new Set(addresses)],
    servers: servers.map(({ server, status: { status, players, lastSeenAt } }) => ({
      name: server.name,
      dot: status === 'online' ? 'on' : status === 'offline' ? 'off' : '',
      state: {
        online: copy.online,
        offline: lastSeenAt === null ? copy.offline : copy.offlineFor(timeSpan(lastSeenAt, now, language)),
        unknown: copy.unknown,
      }[status],
      delivery:
        server.medianSeconds === null
          ? ''
          : copy.deliveryTakes(timeNeeded(Math.max(1, server.medianSeconds), language)),
      players: players === null ? '–' : String(players.online),
      max: players === null ? '' : String(players.max),
    })),
  };
}

/** How many people play now, as far as servers report it; empty when nobody does. */
export function playingNow(servers: readonly ListedServer[], copy: StorefrontCopy): string {
  const count = servers.reduce((sum, { status: { players } }) => sum + (players?.online ?? 0), 0);
  return count === 0 ? '' : copy.playing(count);
}

export function goalView(
  { targetMinor, netMinor, month, currency }: GoalProgress,
  { timezone, goalText }: { readonly timezone: string; readonly goalText: string | null },
  { language, copy }: Reader,
) {
  const percent = percentReached(netMinor, targetMinor);
  return {
    name: 'monthly_goal',
    title: copy.goalOf(monthName(month.from, timezone, language)),
    percent: formatShare(percent, language),
    value: Math.min(100, percent),
    reached: formatMoney(Math.max(0, netMinor), currency, language),
    target: copy.goalTarget(formatMoney(targetMinor, currency, language)),
    text: goalText ?? '',
  };
}

export function purchasesView(purchases: readonly Purchase[], { language, copy }: Reader, now: Date) {
  return {
    name: 'recent_purchases',
    purchases: purchases.map(({ nickname, paidAt, items }) => ({
      ...playerView(nickname, copy),
      text: [
        items.map(({ name, quantity }) => (quantity === 1 ? name : `${name} × ${quantity}`)).join(', '),
        timeAgo(paidAt, now, language),
      ].join(' · '),
    })),
  };
}

export function buyersView(buyers: readonly TopBuyer[], { copy }: Pick<Reader, 'copy'>) {
  return {
    name: 'top_buyers',
    buyers: buyers.map(({ rank, nickname }) => ({ ...playerView(nickname, copy), rank: `${rank}.` })),
  };
}

/** A player with a face that belongs to the name; a buyer whom the shop has erased has none. */
function playerView(nickname: string, copy: StorefrontCopy) {
  return isErasedNickname(nickname)
    ? { player: copy.somebody, face: null }
    : { player: nickname, face: faceOf(nickname) };
}
