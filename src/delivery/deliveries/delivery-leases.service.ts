import { Injectable, Logger } from '@nestjs/common';
import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { CommandsService } from '../../catalogue/commands/commands.service.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { addLogIds, type LogIds } from '../../infrastructure/logging/log-context.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { AbandonedDeliveriesRepository } from './abandoned-deliveries.repository.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import { begin, decide, givenBack, isUnbegun, leased, storedOutput } from './delivery-rules.js';
import {
  type AbandonedDelivery,
  type Acknowledgement,
  type AcknowledgementOutcome,
  type Delivery,
  type DeliveryAttempt,
  type LeasedDelivery,
} from './delivery.types.js';

/** The size of the commands of a lease. The first delivery always fits. */
const MAX_LEASE_BYTES = 256 * 1024;

/** What a plugin requests. */
export interface LeaseRequest {
  readonly serverId: string;
  /** The nicknames of the players who are online. */
  readonly players: readonly string[];
  readonly limit: number;
  /** How long the lease lasts; absent: as long as the configuration says. */
  readonly leaseSeconds?: number | undefined;
  /** Whether the plugin says `begun` before the first command of a delivery, so that what it has not begun did not run. */
  readonly saysBegun?: boolean | undefined;
}

/** The leased deliveries, and those that cannot be leased any more: their commands must not run, or their last lease has ended. */
export interface Lease {
  readonly deliveries: readonly LeasedDelivery[];
  readonly failed: readonly Delivery[];
  readonly uncertain: readonly Delivery[];
}

/** The results of acknowledgements, in their order, and the orders whose deliveries they changed. */
export interface Acknowledged {
  readonly outcomes: readonly AcknowledgementOutcome[];
  readonly orderIds: readonly string[];
}

/** Leases deliveries to plugins, and stores their reports. It does not read or change orders: its caller does. */
@Injectable()
export class DeliveryLeasesService {
  private readonly logger = new Logger('Deliveries');
  private readonly leaseMs: number;

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly attempts: DeliveryAttemptsRepository,
    private readonly abandoned: AbandonedDeliveriesRepository,
    private readonly commands: CommandsService,
    { deliveryLeaseMs }: AppConfig,
  ) {
    this.leaseMs = deliveryLeaseMs;
  }

  /** Whether a lease would find something. Most requests of plugins find nothing: then they need no transaction. */
  hasDue(shopId: string, { serverId, players }: LeaseRequest): Promise<boolean> {
    return this.deliveries.hasDue(shopId, { serverId, playerKeys: keysOf(players), now: new Date() });
  }

  /**
   * Leases what a server can run now. Of parallel requests, only one gets each delivery. A delivery that has a command that must not run
   * fails instead. One that was leased too often without a report is uncertain instead.
   * @param leasedBy the principal of the caller
   */
  async lease(
    shopId: string,
    { serverId, players, limit, leaseSeconds, saysBegun = false }: LeaseRequest,
    leasedBy: string,
    transaction: Transaction,
  ): Promise<Lease> {
    const now = new Date();
    const leaseUntil = new Date(now.getTime() + this.lengthOf(leaseSeconds));
    const request = { serverId, playerKeys: keysOf(players), now, limit };
    const found = await this.deliveries.findDue(shopId, request, transaction);
    addLogIds(idsFor(found));
    const due = await this.giveBackUnbegun(found, now, transaction);
    const { deliveries, failed, uncertain } = await this.render(shopId, due, serverId, leaseUntil, transaction);
    if (deliveries.length > 0) {
      const ids = deliveries.map(({ id }) => id);
      const count = await this.deliveries.lease(shopId, ids, { serverId, now, leaseUntil, saysBegun }, transaction);
      // They were read in the same transaction, so all of them are due.
      if (count !== ids.length) throw new Error(`Only ${count} of ${ids.length} deliveries could be leased`);
      const attempts = deliveries.map((delivery) => newAttempt(delivery, serverId, leasedBy, now, leaseUntil));
      await this.attempts.insertAll(shopId, attempts, transaction);
    }
    for (const [state, ended] of Object.entries({ failed, uncertain } as const)) {
      if (ended.length === 0) continue;
      const ids = ended.map(({ id }) => id);
      await this.deliveries.end(shopId, ids, state as 'failed' | 'uncertain', transaction);
    }
    return { deliveries, failed, uncertain };
  }

  private lengthOf(leaseSeconds: number | undefined): number {
    return leaseSeconds === undefined ? this.leaseMs : leaseSeconds * SECOND_MS;
  }

  /** Gives those of the deliveries that are due back whose last attempt never began, and returns all as they are now. */
  private async giveBackUnbegun(due: readonly Delivery[], now: Date, transaction: Transaction): Promise<Delivery[]> {
    const given: Delivery[] = [];
    for (const delivery of due) {
      const changes = isUnbegun(delivery) ? givenBack(delivery, now, now) : null;
      if (changes !== null) {
        await this.attempts.endUnbegun(delivery, now, transaction);
        await this.deliveries.acknowledge(delivery, changes, transaction);
      }
      given.push({ ...delivery, ...changes });
    }
    return given;
  }

  private async render(
    shopId: string,
    due: readonly Delivery[],
    serverId: string,
    leaseUntil: Date,
    transaction: Transaction,
  ): Promise<{ deliveries: LeasedDelivery[]; failed: Delivery[]; uncertain: Delivery[] }> {
    const deliveries: LeasedDelivery[] = [];
    let bytes = 0;
    const failed = due.filter(({ state }) => state === 'failed');
    const uncertain = due.filter(({ attemptsLeft }) => attemptsLeft === 0);
    const rest = due.filter(({ state, attemptsLeft }) => state !== 'failed' && attemptsLeft > 0);
    const commandsOf = await this.commands.ofLists(
      shopId,
      rest.map(({ commandListId }) => commandListId),
      transaction,
    );
    for (const delivery of rest) {
      const lease = leased(delivery, commandsOf(delivery.commandListId), serverId, leaseUntil);
      if ('problem' in lease) {
        const { id: deliveryId, orderId } = delivery;
        this.logger.error(`The delivery ${deliveryId} cannot be run: ${lease.problem}`, { deliveryId, orderId });
        failed.push(delivery);
        continue;
      }
      bytes += Buffer.byteLength(lease.commands.join(''));
      // What does not fit is due for the next request.
      if (bytes > MAX_LEASE_BYTES && deliveries.length > 0) break;
      deliveries.push(lease);
    }
    return { deliveries, failed, uncertain };
  }

  /** Claims deliveries of all shops whose last lease ended without a report: no other process gets them before `until`. */
  claimAbandoned(until: Date, limit: number, transaction: Transaction): Promise<AbandonedDelivery[]> {
    return this.abandoned.claim(new Date(), until, limit, transaction);
  }

  /**
   * Marks deliveries as uncertain that `claimAbandoned` returned with this time, unless they have changed since.
   * @returns the orders of those that are uncertain now
   */
  endAbandoned(
    shopId: string,
    ids: readonly string[],
    claimedUntil: Date,
    transaction: Transaction,
  ): Promise<readonly string[]> {
    return this.abandoned.end(shopId, ids, claimedUntil, transaction);
  }

  /**
   * Stores what plugins report about attempts (`decide`). The same report again changes nothing. What a request reports first also
   * counts as done first.
   * @param only the game servers whose attempts the caller may report; null: all
   */
  async acknowledge(
    shopId: string,
    acknowledgements: readonly Acknowledgement[],
    only: ReadonlySet<string> | null,
    transaction: Transaction,
  ): Promise<Acknowledged> {
    const ids = [...new Set(acknowledgements.map(({ deliveryId }) => deliveryId))];
    const found = await this.deliveries.findByIds(shopId, ids, transaction);
    addLogIds(idsFor(found));
    const deliveries = new Map(found.map((delivery) => [delivery.id, delivery]));
    const attempts = new Map(
      (await this.attempts.findOf(shopId, ids, transaction))
        .filter(({ serverId }) => only === null || only.has(serverId))
        .map((attempt) => [nameOf(attempt), attempt]),
    );
    const startMs = Date.now();
    const outcomes: AcknowledgementOutcome[] = [];
    const orderIds = new Set<string>();
    for (const [index, report] of acknowledgements.entries()) {
      // Each a millisecond after the one before: an item that expired and was delivered again must not appear to have
      // expired last.
      const now = new Date(startMs + index);
      const delivery = deliveries.get(report.deliveryId);
      const attempt = attempts.get(nameOf(report));
      const { status: result, output } = report;
      const leaseUntil = new Date(now.getTime() + this.lengthOf(report.leaseSeconds));
      const { accepted, changes } =
        delivery === undefined
          ? NOT_ACCEPTED
          : result === 'begun'
            ? begin(delivery, attempt, leaseUntil)
            : decide(delivery, attempt, { ...report, status: result }, now, ofDelivery(attempts.values(), delivery));
      const isVisible = delivery !== undefined && (only === null || attempt !== undefined);
      if (delivery !== undefined && attempt !== undefined && changes !== null) {
        if (result === 'begun') await this.attempts.renew(attempt, leaseUntil, transaction);
        else {
          const stored = { result, output: storedOutput(output, delivery), acknowledgedAt: now };
          await this.attempts.report(attempt, stored, transaction);
          attempts.set(nameOf(report), { ...attempt, ...stored });
        }
        await this.deliveries.acknowledge(delivery, changes, transaction);
        deliveries.set(delivery.id, { ...delivery, ...changes });
        // A report about what was revoked moves no state, and decides whether its units go back to the stock.
        if (changes.state !== delivery.state || delivery.state === 'revoked') orderIds.add(delivery.orderId);
      }
      const state = isVisible ? (deliveries.get(report.deliveryId)?.state ?? delivery.state) : 'unknown';
      outcomes.push({ deliveryId: report.deliveryId, attempt: report.attempt, status: state, accepted });
    }
    return { outcomes, orderIds: [...orderIds] };
  }
}

/** What the lines of a request about several deliveries name. */
function idsFor(deliveries: readonly Delivery[]): LogIds {
  const orderIds = new Set(deliveries.map(({ orderId }) => orderId));
  return { deliveryIds: deliveries.map(({ id }) => id), orderIds: [...orderIds] };
}

const NOT_ACCEPTED = { accepted: false, changes: null } as const;

const ofDelivery = (attempts: Iterable<DeliveryAttempt>, { id }: Delivery): DeliveryAttempt[] =>
  [...attempts].filter(({ deliveryId }) => deliveryId === id);

const keysOf = (players: readonly string[]): string[] => [...new Set(players.map(nicknameKeyOf))];

const nameOf = ({ deliveryId, attempt }: Pick<DeliveryAttempt, 'deliveryId' | 'attempt'>): string =>
  `${deliveryId} ${attempt}`;

function newAttempt(
  { id: deliveryId, attempt, nickname }: LeasedDelivery,
  serverId: string,
  leasedBy: string,
  leasedAt: Date,
  leaseUntil: Date,
): Omit<DeliveryAttempt, 'id' | 'shopId'> {
  const unknown = { result: null, output: null, acknowledgedAt: null };
  return { deliveryId, attempt, serverId, nickname, leasedBy, leasedAt, leaseUntil, ...unknown };
}
