import { type CommandStages } from '../../catalogue/commands/command-list.types.js';
import { renderCommand, runsOf } from '../../catalogue/commands/command-template.js';
import { isErasedNickname } from '../../domain/buyers/erased-buyer.js';
import { DAY_MS, SECOND_MS } from '../../lib/time/durations.js';
import { canMove } from '../../lib/states/transitions.js';
import { DECISION_TRANSITIONS, DELIVERY_TRANSITIONS, RELEASE_TRANSITIONS } from './delivery-transitions.js';
import {
  type AttemptResult,
  type DecidedDelivery,
  type DecidedOutcome,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryReport,
  type DeliveryState,
  isDone,
  type Lease,
  type LeasedDelivery,
  MAX_ATTEMPTS,
  type MoneyHolder,
  type PurchaseStage,
  type Renamer,
} from './delivery.types.js';

/** The state of what is not delivered, by who has the money of the order. */
export const STATE_BY_MONEY = { shop: 'queued', unclear: 'held', buyer: 'revoked' } as const satisfies Readonly<
  Record<MoneyHolder, DeliveryState>
>;

/** Whether a delivery waits for a plugin: it is queued, or its lease has ended. */
export const isWaiting = ({ state, dueAt }: Pick<Delivery, 'state' | 'dueAt'>, now: Date): boolean =>
  state === 'queued' || (state === 'leased' && dueAt <= now);

/**
 * The state of a delivery for its readers: after the end of its lease it waits for the game server again. No decision depends on it: a
 * plugin whose lease is over may still have run the commands.
 */
export const shownState = (delivery: Pick<Delivery, 'state' | 'dueAt'>, now: Date): DeliveryState =>
  delivery.state === 'leased' && isWaiting(delivery, now) ? 'queued' : delivery.state;

type Attempts = Pick<Delivery, 'attempt' | 'acknowledgedAttempt' | 'earlierAttempts' | 'releases' | 'isUnbegun'>;

/** How many attempts of this run were neither reported nor released. */
const unreported = ({ attempt, acknowledgedAttempt, earlierAttempts = 0, releases = 0 }: Attempts): number =>
  attempt - Math.max(acknowledgedAttempt, earlierAttempts) - releases;

/** Whether the plugin that leased it last has neither begun nor reported: until the lease is over, it can still begin. */
export const isUnbegun = (delivery: Attempts): boolean => delivery.isUnbegun === true && unreported(delivery) > 0;

/** Whether the commands of an attempt of this run may have run: it was neither reported nor released, and may have begun. */
export const isUnreported = (delivery: Attempts & Pick<Delivery, 'state'>): boolean =>
  unreported(delivery) > (isUnbegun(delivery) && delivery.state !== 'leased' ? 1 : 0);

/** The orders all of whose leases are over, each with the number of the latest attempt. */
export function endedLeases(leases: readonly Lease[], now: Date): ReadonlyMap<string, number> {
  const running = new Set(leases.filter(({ dueAt }) => dueAt > now).map(({ orderId }) => orderId));
  const ended = new Map<string, number>();
  for (const { orderId, attempt } of leases) {
    if (!running.has(orderId)) ended.set(orderId, Math.max(attempt, ended.get(orderId) ?? 0));
  }
  return ended;
}

/**
 * Whether a purchase can be assigned to another player: nobody has received it, and no plugin may have run its commands. So a redelivery
 * never gives a second player what the first one has. Staff can rename what failed, because they know what the player has.
 */
export function isRenamable(
  { state, attempt, deliveredAt }: Pick<Delivery, 'state' | 'attempt' | 'deliveredAt'>,
  by: Renamer,
): boolean {
  if (deliveredAt !== null) return false;
  if (state === 'failed') return by === 'staff';
  return attempt === 0 && (state === 'queued' || state === 'held');
}

/** An order with the command templates of its items. */
export interface OrderCommands {
  readonly id: string;
  readonly nickname: string;
  readonly items: readonly { readonly quantity: number; readonly commands: readonly string[] }[];
}

/**
 * Fills in command templates, each as often as it runs. Returns the commands, or why the first unsafe one must not run. None runs for an
 * erased buyer: the hash could be the name of somebody else in the game.
 */
export function renderAll(
  templates: readonly string[],
  values: { readonly nickname: string; readonly orderId: string; readonly quantity: number },
): { readonly commands: readonly string[] } | { readonly problem: string } {
  if (isErasedNickname(values.nickname)) return { problem: `${values.nickname} stands for an erased buyer` };
  const commands: string[] = [];
  for (const template of templates) {
    const rendering = renderCommand(template, values);
    if ('problem' in rendering) return rendering;
    const runs = runsOf(template, values.quantity);
    for (let run = 0; run < runs; run++) commands.push(rendering.command);
  }
  return { commands };
}

/** Renders every command of an order. Returns why the first unsafe one must not run with the nickname; null when all may. */
export function unsafeCommand({ id: orderId, nickname, items }: OrderCommands): string | null {
  for (const { quantity, commands } of items) {
    const rendering = renderAll(commands, { nickname, orderId, quantity });
    if ('problem' in rendering) return rendering.problem;
  }
  return null;
}

/** The commands that a stage has beside those of a first purchase; null: none. */
export function stageCommands(
  { extendCommands, upgradeCommands }: CommandStages,
  stage: PurchaseStage,
): readonly string[] | null {
  const own = { first: [], extend: extendCommands, upgrade: upgradeCommands }[stage];
  return own.length > 0 ? own : null;
}

/** The command templates of a delivery. */
function templatesOf({ kind, stage }: Pick<Delivery, 'kind' | 'stage'>, stages: CommandStages): readonly string[] {
  switch (kind) {
    case 'purchase':
      return stageCommands(stages, stage) ?? stages.commands;
    case 'take_back':
      return stages.takeBackCommands;
    case 'expiry':
      return stages.expiryCommands;
  }
}

/** Fills in the commands of a delivery, or says why they must not run (`renderAll`). */
const rendered = (delivery: Delivery, stages: CommandStages): ReturnType<typeof renderAll> =>
  renderAll(templatesOf(delivery, stages), delivery);

/** What a plugin runs for a delivery; null when it must not run it. */
export function commandsFor(delivery: Delivery, stages: CommandStages): readonly string[] | null {
  const rendering = rendered(delivery, stages);
  return 'problem' in rendering ? null : rendering.commands;
}

/** The lease of a delivery: the next attempt, with its commands filled in; or why the commands must not run. */
export function leased(
  delivery: Delivery,
  stages: CommandStages,
  serverId: string,
  leaseUntil: Date,
): LeasedDelivery | { readonly problem: string } {
  const rendering = rendered(delivery, stages);
  if ('problem' in rendering) return rendering;
  return {
    ...delivery,
    serverId,
    state: 'leased',
    dueAt: leaseUntil,
    attempt: delivery.attempt + 1,
    attemptsLeft: delivery.attemptsLeft - 1,
    commands: rendering.commands,
    possiblyExecuted: isUnreported(delivery),
  };
}

/** The effect of an acknowledgement. */
export interface Decision {
  readonly accepted: boolean;
  /** null when nothing changes: it is not accepted, or was stored before. */
  readonly changes: DeliveryReport | null;
}

const REFUSED: Decision = { accepted: false, changes: null };

/** How long a delivery can be released again and again before it fails. */
const MAX_RELEASED_MS = 7 * DAY_MS;
const DEFAULT_RETRY_SECONDS = 30;

/**
 * Decides about a result. The same one again is accepted and changes nothing. One of an older attempt is accepted until a newer one is
 * reported. An item that was delivered once stays delivered, whatever another attempt reports. A failure ends only the attempt that is leased
 * now: the failure of an older one does not show how the newer one ends. What is uncertain can be reported once more.
 * @param attempts all attempts of the delivery
 */
export function decide(
  delivery: Delivery,
  attempt: DeliveryAttempt | undefined,
  { status, retrySeconds }: { readonly status: AttemptResult; readonly retrySeconds?: number | undefined },
  now: Date,
  attempts: readonly Pick<DeliveryAttempt, 'attempt' | 'result'>[] = [],
): Decision {
  if (attempt === undefined) return REFUSED;
  const isRepeated = attempt.result === 'uncertain' && (status === 'delivered' || status === 'failed');
  if (attempt.result !== null && !isRepeated) return { accepted: attempt.result === status, changes: null };
  if (attempt.attempt < delivery.acknowledgedAttempt) return REFUSED;
  const isNewest = attempt.attempt === delivery.attempt;
  if (status === 'released') return isNewest ? released(delivery, retrySeconds, now) : REFUSED;
  const state = isNewest || isDone(status) ? stateAfter(delivery.state, status) : delivery.state;
  const { deliveredAt, deliveredTo } =
    isDone(state) && !isDone(delivery.state)
      ? { deliveredAt: now, deliveredTo: receiverOf(delivery, attempt) }
      : delivery;
  const releases = attempts.filter((one) => one.attempt > attempt.attempt && one.result === 'released').length;
  const changes = { state, acknowledgedAttempt: attempt.attempt, deliveredAt, deliveredTo, releases };
  return { accepted: true, changes };
}

/** The state of a delivery after its newest attempt, or one that delivered, was reported. A failure ends a lease or a doubt, and nothing else. */
function stateAfter(state: DeliveryState, status: Exclude<AttemptResult, 'released'>): DeliveryState {
  if (canMove(DECISION_TRANSITIONS, state, status)) return status;
  const isPossible = status !== 'failed' || state === 'leased';
  return isPossible && canMove(DELIVERY_TRANSITIONS, state, status) ? status : state;
}

/** Gives a leased delivery back: it waits again, with the attempt that it had left; after a week of that it fails. */
function released(delivery: Delivery, retrySeconds = DEFAULT_RETRY_SECONDS, now: Date): Decision {
  const dueAt = new Date(now.getTime() + retrySeconds * SECOND_MS);
  const changes = givenBack(delivery, dueAt, now);
  return canMove(RELEASE_TRANSITIONS, delivery.state, changes.state) ? { accepted: true, changes } : REFUSED;
}

/** A delivery whose newest attempt ran nothing: with as many attempts left as those need that nobody reported. */
export function givenBack(delivery: Delivery, dueAt: Date, now: Date): DeliveryReport & { state: 'queued' | 'failed' } {
  const { acknowledgedAttempt, deliveredAt, deliveredTo, releases = 0 } = delivery;
  const releasedAt = delivery.releasedAt ?? now;
  const state = now.getTime() - releasedAt.getTime() >= MAX_RELEASED_MS ? 'failed' : 'queued';
  const attemptsLeft = Math.max(1, MAX_ATTEMPTS + 1 - unreported(delivery));
  const left = { attemptsLeft, releases: releases + 1, releasedAt, isUnbegun: false };
  return { state, acknowledgedAttempt, deliveredAt, deliveredTo, dueAt, ...left };
}

/**
 * Decides about the report that an attempt has begun: from now on the delivery is never leased again by itself, because its commands may run.
 * Accepted only while the attempt has its lease: what was held or revoked since must not run.
 */
export function begin(delivery: Delivery, attempt: DeliveryAttempt | undefined, leaseUntil: Date): Decision {
  const { state, acknowledgedAttempt, deliveredAt, deliveredTo } = delivery;
  const isLeased = state === 'leased' && attempt?.attempt === delivery.attempt && attempt.result === null;
  if (!isLeased) return REFUSED;
  const changes = { state, acknowledgedAttempt, deliveredAt, deliveredTo, dueAt: leaseUntil, attemptsLeft: 0 };
  return { accepted: true, changes: { ...changes, isUnbegun: false } };
}

/** What a decision of staff about an uncertain delivery changes. */
export function decided(
  { nickname, deliveredAt, deliveredTo }: Delivery,
  outcome: DecidedOutcome,
  now: Date,
): DecidedDelivery {
  return outcome === 'delivered'
    ? { state: outcome, deliveredAt: now, deliveredTo: nickname }
    : { state: outcome, deliveredAt, deliveredTo };
}

/** The player who received a delivery. After an erasure only the delivery has the name, when something is still to run. */
function receiverOf(delivery: Delivery, attempt: DeliveryAttempt): string {
  return isErasedNickname(attempt.nickname) ? delivery.nickname : attempt.nickname;
}

/** The largest console output that is kept of an attempt, in characters. */
export const MAX_OUTPUT_LENGTH = 2_000;
const CUT = '\n... (cut)';

/** Removes control characters and halves of surrogate pairs. */
const cleaned = (text: string): string => text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cs}]/gu, '');

/**
 * Console output as it is stored: lines of text without other control characters, cut to the largest length. None of what ran for an erased
 * buyer: it can have the name, which nobody knows any more.
 */
export function storedOutput(
  output: string | null | undefined,
  { nickname }: Pick<Delivery, 'nickname'>,
): string | null {
  if (output === null || output === undefined || isErasedNickname(nickname)) return null;
  const text = cleaned(output);
  if (text.length <= MAX_OUTPUT_LENGTH) return text;
  return cleaned(text.slice(0, MAX_OUTPUT_LENGTH - CUT.length)) + CUT;
}

/**
 * The state of an order's items, from the states of its deliveries: `failed` as soon as one failed, else `uncertain` as soon as one is, so that
 * staff see it; `delivered` when all are, and `handed_over` when all are and one was not confirmed; `held` and `revoked` also when some are delivered; `leased` also while some are delivered and others
 * wait.
 * @param states at least one
 */
export function stateOfAll(states: readonly DeliveryState[]): DeliveryState {
  for (const state of ['failed', 'uncertain'] as const) if (states.includes(state)) return state;
  const [first = 'queued', ...others] = states;
  if (states.every(isDone)) return states.includes('handed_over') ? 'handed_over' : 'delivered';
  if (others.every((state) => state === first)) return first;
  return (['held', 'revoked'] as const).find((state) => states.includes(state)) ?? 'leased';
}
