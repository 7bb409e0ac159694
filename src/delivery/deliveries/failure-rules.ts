import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { Scrubber } from '../../infrastructure/buyers/scrubber.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { type Delivery, type DeliveryAttempt, MAX_ATTEMPTS } from './delivery.types.js';

/**
 * Why deliveries failed. `printed`: the plugin reported it, with what the console printed. `reported`: it reported it without an output.
 * `unconfirmed`: the last attempt ended without a report. `not_run`: no plugin had it since it was queued, because its game server was
 * deleted or its commands must not run.
 */
export const FAILURE_CAUSES = ['printed', 'reported', 'unconfirmed', 'not_run'] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

/** How many characters of an output decide about its group. */
export const MAX_REASON_LENGTH = 200;
/** How many digits the key of a group has. */
const KEY_LENGTH = 24;

/** A failed delivery, as its group is found. */
export type FailedDelivery = Pick<Delivery, 'id' | 'orderId' | 'serverId' | 'nickname' | 'attempt' | 'attemptsLeft'>;

/** The last attempt of a delivery. */
export type LastAttempt = Pick<DeliveryAttempt, 'deliveryId' | 'nickname' | 'result' | 'output' | 'leaseUntil'> &
  Pick<DeliveryAttempt, 'acknowledgedAt'>;

interface Failure {
  readonly cause: FailureCause;
  /** What failures of one group have in common of what the console printed; null when it printed nothing. */
  readonly reason: string | null;
  /** null: no attempt tells. */
  readonly at: Date | null;
}

/** Failed deliveries with the same reason. */
export interface FailureGroup extends Omit<Failure, 'at'> {
  /** The same for the same reason, in every shop and at every time. */
  readonly key: string;
  readonly count: number;
  /** The game servers that they are for; null: any server. */
  readonly serverIds: readonly (string | null)[];
  /** When the first and the last one of them failed; null: no attempt tells. */
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  /** The newest delivery. */
  readonly latest: Pick<FailedDelivery, 'id' | 'orderId'>;
}

/** Ids of Mojang and of databases, and numbers. */
const CHANGING = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?<![\p{L}\p{N}])[\da-f]{24,}(?![\p{L}\p{N}])|\d+/giu;

/** What an output has in common with those of other players: without nicknames, ids and numbers, in one line, and not too long. */
export function reasonOf(output: string, nicknames: readonly string[]): string {
  const players = new Map(nicknames.map((nickname) => [nicknameKeyOf(nickname), '{nickname}']));
  const nameless = new Scrubber({ players, mailboxes: new Map(), spellings: nicknames }).string('sentence', output);
  return nameless.replaceAll(CHANGING, '#').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_REASON_LENGTH).trim();
}

/** Why a delivery failed. @param last its last attempt; undefined: it had none */
export function failureOf({ nickname, attemptsLeft }: FailedDelivery, last: LastAttempt | undefined): Failure {
  if (last === undefined || attemptsLeft === MAX_ATTEMPTS) return { cause: 'not_run', reason: null, at: null };
  if (last.result === null) return { cause: 'unconfirmed', reason: null, at: last.leaseUntil };
  const reason = reasonOf(last.output ?? '', [nickname, last.nickname]);
  const at = last.acknowledgedAt;
  return reason === '' ? { cause: 'reported', reason: null, at } : { cause: 'printed', reason, at };
}

const keyOf = ({ cause, reason }: Failure): string => sha256(JSON.stringify([cause, reason])).slice(0, KEY_LENGTH);

/** The deliveries of each group. @param deliveries the newest first */
export function byFailure(
  deliveries: readonly FailedDelivery[],
  attempts: readonly LastAttempt[],
): ReadonlyMap<string, readonly (FailedDelivery & Failure)[]> {
  const lastOf = new Map(attempts.map((attempt) => [attempt.deliveryId, attempt]));
  const groups = new Map<string, (FailedDelivery & Failure)[]>();
  for (const delivery of deliveries) {
    const failure = failureOf(delivery, lastOf.get(delivery.id));
    const key = keyOf(failure);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [{ ...delivery, ...failure }]);
    else group.push({ ...delivery, ...failure });
  }
  return groups;
}

/** The groups of failed deliveries, the largest first. @param deliveries the newest first */
export function failureGroups(
  deliveries: readonly FailedDelivery[],
  attempts: readonly LastAttempt[],
): readonly FailureGroup[] {
  const groups = [...byFailure(deliveries, attempts)].flatMap(([key, failed]): FailureGroup[] => {
    const [latest] = failed;
    if (latest === undefined) return [];
    const { cause, reason, id, orderId } = latest;
    const times = failed.flatMap(({ at }) => at?.getTime() ?? []).sort((one, other) => one - other);
    const [first, last] = [times[0], times.at(-1)].map((time) => (time === undefined ? null : new Date(time)));
    return [
      {
        ...{ key, cause, reason, count: failed.length, latest: { id, orderId } },
        serverIds: [...new Set(failed.map(({ serverId }) => serverId))],
        firstAt: first ?? null,
        lastAt: last ?? null,
      },
    ];
  });
  return groups.sort((one, other) => other.count - one.count);
}
