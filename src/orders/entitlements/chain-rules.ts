import { isDone, type ItemTerms, type PurchaseStage } from '../../delivery/deliveries/delivery.types.js';
import { isHeld, type ItemDeliveries, ranAfter } from '../../delivery/deliveries/follow-ups.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { type EndedBy, type EntitlementState, type Link } from './entitlement.types.js';

/** The last instant that ISO 8601 writes with four digits: no time ends later. */
const END_OF_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** What the rules decide about a link. */
export interface Standing {
  readonly endsAt: Date | null;
  readonly state: EntitlementState;
  readonly endedBy: EndedBy | null;
  readonly terms: ItemTerms;
  /** Whether the player owns the same by another link. */
  readonly isCovered: boolean;
}

/** A link whose order is looked at, with its deliveries; undefined: it ended long ago, and nothing of it is still to run. */
export interface LinkedItem<Of extends Link = Link> {
  readonly link: Of;
  readonly item: ItemDeliveries | undefined;
}

/** What a higher tier means for a purchase that it has replaced (`coversOf`). */
export interface Cover {
  /** Whether it counts: it was delivered, and its money did not go back. Then what it has replaced is owned no more. */
  readonly isInForce: boolean;
  /** When it is over, with all that extends it; null: never. Until then, nothing of what it has replaced is taken away. */
  readonly endsAt: Date | null;
  /** When the game server removed it; null: it has not. */
  readonly removedAt: Date | null;
}

/** Whether a purchase counts: its money did not go back, and staff have not ended it. */
export const isKept = ({ money, endedBy }: Pick<Link, 'money' | 'endedBy'>): boolean =>
  money !== 'buyer' && endedBy !== 'staff';

const lasts = (endsAt: Date | null, now: Date): boolean => endsAt === null || endsAt > now;

function after(from: number, { durationDays, quantity }: Link): number {
  if (durationDays === null || from === Infinity) return Infinity;
  return Math.min(END_OF_TIME, from + durationDays * quantity * DAY_MS);
}

const asDate = (time: number): Date | null => (time === Infinity ? null : new Date(time));

type Covers = ReadonlyMap<string, Cover>;

const NO_COVERS: Covers = new Map();

const isReplaced = ({ id }: Link, covers: Covers): boolean => covers.get(id)?.isInForce === true;

/** The links that count, by the time of their delivery. */
function counted(links: readonly Link[], covers: Covers): (Link & { readonly startsAt: Date })[] {
  return links
    .flatMap((link) =>
      isKept(link) && !isReplaced(link, covers) && link.startsAt !== null ? [{ ...link, startsAt: link.startsAt }] : [],
    )
    .sort((one, other) => one.startsAt.getTime() - other.startsAt.getTime() || (one.id < other.id ? -1 : 1));
}

/**
 * When each link of a chain ends, by id. The times of the purchases that count add up, each from its own beginning at the earliest. A link
 * that does not count keeps the interval that it had. Nothing else defines an end.
 */
export function endsOf(links: readonly Link[], covers: Covers = NO_COVERS): ReadonlyMap<string, Date | null> {
  const ends = new Map<string, Date | null>();
  let end = -Infinity;
  for (const link of counted(links, covers)) {
    end = after(Math.max(end, link.startsAt.getTime()), link);
    ends.set(link.id, asDate(end));
  }
  for (const link of links) {
    if (ends.has(link.id) || link.startsAt === null) continue;
    ends.set(link.id, link.endsAt ?? asDate(after(link.startsAt.getTime(), link)));
  }
  return ends;
}

const latest = (times: readonly (Date | null | undefined)[]): number =>
  Math.max(-Infinity, ...times.map((time) => time?.getTime() ?? -Infinity));

/** When an item was taken back from its player, and not from the one who had it before a transfer. */
function removalOf(item: ItemDeliveries | undefined): Date | null {
  if (item?.takeBack === undefined) return null;
  const { purchase, takeBack } = item;
  return takeBack.nickname === (purchase.deliveredTo ?? purchase.nickname) ? takeBack.deliveredAt : null;
}

/** Whether an item that staff transfer was taken back from the player who had it. */
const isMoved = (item: ItemDeliveries | undefined): boolean =>
  item !== undefined && item.purchase.transferFrom !== null && ranAfter(item.takeBack, item.purchase);

/**
 * Whether the game server has removed what a chain gives after it was given last. The commands of an extension give nothing that is not
 * there.
 */
function isRemoved(chain: readonly LinkedItem[], covers: Covers): boolean {
  const removed = latest(
    chain.flatMap(({ link, item }) => [
      ...[removalOf(item), item?.expiry?.deliveredAt],
      covers.get(link.id)?.removedAt,
    ]),
  );
  const given = chain.map(({ item }) => (item?.purchase.stage === 'first' ? item.purchase.deliveredAt : null));
  return removed !== -Infinity && removed >= latest(given);
}

function standingOf(link: Link, item: ItemDeliveries | undefined, endsAt: Date | null, isOut: boolean, now: Date) {
  const isOver = link.startsAt !== null && !lasts(endsAt, now);
  if (!isKept(link)) return { state: 'ended', endedBy: link.endedBy } as const;
  if (isOut) return { state: 'ended', endedBy: 'upgrade' } as const;
  if (isOver) return { state: 'ended', endedBy: 'expired' } as const;
  if (link.money === 'unclear') return { state: 'held', endedBy: null } as const;
  // Coins and keys that were taken back are delivered again when staff say so.
  const isGone = link.repeat === 'parallel' && item !== undefined && ranAfter(item.takeBack, item.purchase);
  return { state: link.startsAt === null || isGone ? 'pending' : 'active', endedBy: null } as const;
}

/** Whether the end of an item that expired, or its take-back, is still to run: then the money that went back takes it away at once. */
const isStillToRun = (item: ItemDeliveries | undefined): boolean =>
  item !== undefined &&
  isHeld(item) &&
  [item.expiry, item.takeBack].some((delivery) => delivery !== undefined && delivery.state !== 'revoked');

/**
 * Which commands of a purchase run. A redelivery runs the same again. Where the game server has removed the item, or the lower tier, only the
 * commands of a first purchase give it.
 */
function stageOf({ link, item }: LinkedItem, isLost: boolean, hasItem: boolean, hasLower: boolean): PurchaseStage {
  if (isLost) return 'first';
  if (link.startsAt !== null) return item?.purchase.stage ?? 'first';
  if (hasItem) return 'extend';
  return hasLower ? 'upgrade' : 'first';
}

/**
 * What each link of a chain is now, and what must happen to its deliveries. All purchases of one product, by one player, for one game server
 * are a chain; a purchase that is for itself is a chain of its own.
 *
 * The player keeps what at least one purchase gives: only the last link expires, and nothing is taken back while another link is owned. When
 * the game server has removed it all the same, because a command was on its way, the last link gives it once more.
 * @param covers of `coversOf` @param raised of `raisedOf`
 */
export function standingsOf(
  chain: readonly LinkedItem[],
  now: Date,
  covers: Covers = NO_COVERS,
  raised: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, Standing> {
  const links = chain.map(({ link }) => link);
  const ends = endsOf(links, covers);
  const endOf = ({ id }: Link): Date | null => ends.get(id) ?? null;
  const last = counted(links, covers).at(-1);
  const isLasting = (link: Link): boolean => link.startsAt !== null && lasts(endOf(link), now);
  const owned = chain.filter(({ link }) => isKept(link) && !isReplaced(link, covers) && isLasting(link));
  const isGone = isRemoved(chain, covers);
  const standings = new Map<string, Standing>();
  for (const one of chain) {
    const { link, item } = one;
    const endsAt = endOf(link);
    const cover = covers.get(link.id);
    const isOut = isReplaced(link, covers);
    const standing = standingOf(link, item, endsAt, isOut, now);
    if (cover !== undefined && isOut) {
      standings.set(link.id, { ...standing, endsAt, isCovered: false, terms: termsUnder(cover, link, item, now) });
      continue;
    }
    const others = owned.filter((other) => other !== one);
    const isCovered = others.length > 0;
    const isOwned = owned.includes(one);
    const isChained = link.repeat !== 'parallel' || cover !== undefined;
    // What waited for its delivery when it was replaced waits again.
    const isWaiting = cover !== undefined && isKept(link) && item?.purchase.state === 'revoked';
    const isGivenAgain = isOwned && ((isChained && link.id === last?.id && isGone) || isMoved(item));
    const isLost = link.money === 'shop' && (isGivenAgain || isWaiting);
    const isTaken = !isKept(link) && !isCovered && (standing.endedBy !== 'expired' || isStillToRun(item));
    standings.set(link.id, {
      ...standing,
      endsAt,
      isCovered,
      terms: {
        expiresAt: link.id === last?.id || isTaken ? endsAt : null,
        isRevoked: isTaken,
        isLost,
        isReplaced: false,
        stage: stageOf(one, isLost, isChained && isCovered && !isGone, raised.has(link.id)),
      },
    });
  }
  return standings;
}

/** What was replaced goes with the higher tier: until that is over, nothing of it is taken away or ends. */
function termsUnder(cover: Cover, link: Link, item: ItemDeliveries | undefined, now: Date): ItemTerms {
  const isOver = !lasts(cover.endsAt, now);
  return {
    expiresAt: isOver ? cover.endsAt : null,
    isRevoked: isOver && !isKept(link),
    isLost: false,
    isReplaced: true,
    stage: item?.purchase.stage ?? 'first',
  };
}

/** A link of a player with the chain that it is part of. */
type Placed<Of extends Link> = LinkedItem<Of> & { readonly chain: readonly LinkedItem<Of>[] };

/**
 * What covers each link that a higher tier has replaced, by id. A tier can have replaced another one and be replaced itself: then the highest
 * one covers all.
 */
export function coversOf<Of extends Link & { readonly orderId: string }>(
  chains: readonly (readonly LinkedItem<Of>[])[],
): Covers {
  const all = chains.flatMap((chain) => chain.map((one): Placed<Of> => ({ ...one, chain })));
  const covers = new Map<string, Cover>();
  const upperOf = ({ id, upgradedBy }: Of): Placed<Of> | undefined =>
    all.find(({ link }) => link.orderId === upgradedBy && link.upgrade?.entitlementIds.includes(id));
  const coverOf = ({ link }: Placed<Of>): Cover | null => {
    const upper = upperOf(link);
    if (upper === undefined) return null;
    const known = covers.get(link.id);
    if (known !== undefined) return known;
    const removed = endedInGame(upper.item);
    const isInForce = isKept(upper.link) && upper.link.startsAt !== null;
    const above = coverOf(upper);
    const endsAt = above?.isInForce === true ? above.endsAt : endOfChain(upper.chain, covers);
    const cover = { isInForce, endsAt, removedAt: removed === -Infinity ? null : new Date(removed) };
    covers.set(link.id, cover);
    return cover;
  };
  for (const one of all) coverOf(one);
  return covers;
}

/**
 * The purchases that replace something that the player has in the game, by id: their commands need to give only the rest. What another higher
 * tier has replaced before, and lost, is there only when it was given again.
 */
export function raisedOf(chains: readonly (readonly LinkedItem[])[]): ReadonlySet<string> {
  const all = chains.flat();
  const replacing = all.filter(({ link }) => link.upgrade !== null);
  const isInGame = (id: string, upper: Link): boolean => {
    const item = all.find(({ link }) => link.id === id)?.item;
    if (item === undefined || !isHeld(item) || !isDone(item.purchase.state)) return false;
    const others = replacing.filter(
      ({ link }) => link !== upper && link.startsAt !== null && link.upgrade?.entitlementIds.includes(id) === true,
    );
    const given = latest([item.purchase.deliveredAt]);
    return others.every((other) => {
      const removed = endedInGame(other.item);
      return removed !== -Infinity && removed < given;
    });
  };
  const raised = replacing.filter(({ link }) => link.upgrade?.entitlementIds.some((id) => isInGame(id, link)) === true);
  return new Set(raised.map(({ link }) => link.id));
}

/** When the game server took an item back or ended its time; -Infinity: it has not. */
const endedInGame = (item: ItemDeliveries | undefined): number =>
  latest([item?.takeBack?.deliveredAt, item?.expiry?.deliveredAt]);

function endOfChain(chain: readonly LinkedItem[], covers: Covers): Date | null {
  const links = chain.map(({ link }) => link);
  const ends = endsOf(links, covers);
  const last = counted(links, covers).at(-1);
  return last === undefined ? null : (ends.get(last.id) ?? null);
}
