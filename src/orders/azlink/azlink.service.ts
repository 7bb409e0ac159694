import { Injectable, Logger } from '@nestjs/common';
import { ServersService } from '../../catalogue/servers/servers.service.js';
import { type Acknowledgement, type LeasedDelivery } from '../../delivery/deliveries/delivery.types.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { FulfilmentService } from '../fulfilment/fulfilment.service.js';
import { handOver, readPoll } from './azlink-rules.js';

/** Everything of a poll can be lost, so a poll has few. */
const MAX_DELIVERIES = 5;
const LEASE_SECONDS = 30;
/** The plugins stop waiting after five seconds. */
const ANSWER_MS = 3 * SECOND_MS;
/** A player who is absent comes later. */
const ABSENT_SECONDS = 300;

/** The response to a poll, before it is sent. */
export interface PollAnswer {
  /** Nickname -> the commands that run for it. */
  readonly commands: ReadonlyMap<string, readonly string[]>;
  /** Stores what became of the response: it must be called once. */
  readonly settle: (isSent: boolean) => Promise<void>;
}

const NOTHING: PollAnswer = { commands: new Map(), settle: () => Promise.resolve() };

/** Game servers that the plugins of AzLink link with a shop. They take commands, and never say what became of them. */
@Injectable()
export class AzLinkService {
  private readonly logger = new Logger('AzLink');

  constructor(
    private readonly fulfilment: FulfilmentService,
    private readonly servers: ServersService,
  ) {}

  /** The game of a server, for a plugin that is being linked. Nothing is leased. @throws AppError server_not_found */
  async gameOf(context: ShopContext, serverId: string): Promise<string> {
    return (await this.servers.get(context, serverId)).game;
  }

  /**
   * Stores how the game server is, and leases what it runs now. Each delivery has begun before its commands are in the response: when the service
   * stops, or the response is lost, it is uncertain, and is not sent again.
   * @throws AppError validation_failed; permission_missing for a plugin that names no players; server_not_found
   */
  async poll(context: ShopContext, serverId: string, body: unknown): Promise<PollAnswer> {
    const until = Date.now() + ANSWER_MS;
    const { players, namesIds, version, maxPlayers } = readPoll(body);
    if (namesIds) {
      throw new AppError('permission_missing', {
        message: 'This plugin of AzLink names no players, and the shop delivers to names: use the agent of the shop',
      });
    }
    const onlinePlayers = players.length;
    const heartbeat = { onlinePlayers, maxPlayers: Math.max(maxPlayers, onlinePlayers), version, latencyMs: null };
    await this.servers.recordHeartbeat(context, serverId, heartbeat);
    const names = players.map(({ name }) => name);
    const leased = await this.fulfilment.lease(context, {
      ...{ serverId, players: names, limit: MAX_DELIVERIES, leaseSeconds: LEASE_SECONDS, saysBegun: true },
    });
    if (leased.length === 0) return NOTHING;
    const { commands, given, waiting, doubtful } = handOver(leased, players);
    const outcomes = await this.fulfilment.acknowledge(context, [
      ...waiting.map((delivery) => released(delivery, 'The game server does not know the UUID of the player.')),
      ...doubtful.map((delivery) => reported(delivery, 'uncertain', 'An earlier attempt may have run the commands.')),
      ...given.map((delivery) => ({ ...nameOf(delivery), status: 'begun', leaseSeconds: LEASE_SECONDS }) as const),
    ]);
    const begun = given.filter(({ id }) => outcomes.some((one) => one.deliveryId === id && one.accepted));
    if (begun.length < given.length || Date.now() > until) {
      // Refunded since, or too late: the plugin has stopped to wait, and nothing was sent.
      const late = begun.map((delivery) => ({
        ...released(delivery, 'The response came too late.'),
        retrySeconds: 10,
      }));
      if (late.length > 0) await this.fulfilment.acknowledge(context, late);
      return NOTHING;
    }
    return { commands, settle: (isSent) => this.settle(context, given, isSent) };
  }

  /** A failure is only logged: the delivery has begun, so it becomes uncertain when its lease ends. */
  private async settle(context: ShopContext, given: readonly LeasedDelivery[], isSent: boolean): Promise<void> {
    const reports = given.map((delivery) =>
      isSent
        ? reported(delivery, 'handed_over', 'Handed over to AzLink, which does not confirm.')
        : reported(delivery, 'uncertain', 'The connection ended while the commands were sent to AzLink.'),
    );
    try {
      if (reports.length > 0) await this.fulfilment.acknowledge(context, reports);
    } catch (error) {
      this.logger.error('It was not stored that deliveries were handed over', describeError(error));
    }
  }
}

const nameOf = ({ id, attempt }: LeasedDelivery): Pick<Acknowledgement, 'deliveryId' | 'attempt'> => ({
  deliveryId: id,
  attempt,
});

const reported = (
  delivery: LeasedDelivery,
  status: 'handed_over' | 'uncertain' | 'released',
  output: string,
): Acknowledgement => ({ ...nameOf(delivery), status, output });

const released = (delivery: LeasedDelivery, output: string): Acknowledgement => ({
  ...reported(delivery, 'released', output),
  retrySeconds: ABSENT_SECONDS,
});
