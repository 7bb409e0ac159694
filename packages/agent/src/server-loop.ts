import { type GameConsole, messageOf, Refused, sleep } from './consoles/console.js';
import { type Game } from './games.js';
import { type Entry, type Journal, type LeasedName } from './journal.js';
import { type Ending, leftBehind, runDelivery } from './run-delivery.js';
import { type Delivery, type Report, type ShopClient, ShopError } from './shop-client.js';

/** How long a lease lasts. It is renewed while a delivery runs. */
const LEASE_SECONDS = 120;
const RENEW_MS = (LEASE_SECONDS * 1_000) / 3;
/** How many commands are leased at most of a console that takes any number, and how much of a lease they may take. */
const MAX_DELIVERIES = 20;
const USABLE_MS = (LEASE_SECONDS * 1_000) / 2;
/** How many results one request reports. */
const MAX_REPORTS = 50;
const PROBLEM_RETRY_MS = 10_000;
/** What never began is tried again soon. */
const RELEASE_SECONDS = 10;
/** A player who is absent, or whose inventory is full, needs some time. */
const ABSENT_SECONDS = 60;

export interface ServerSettings {
  readonly serverId: string;
  readonly name: string;
  readonly maxPlayers: number;
  readonly version: string;
}

/** The deliveries of one game server: one at a time, in the order in which the shop leases them. */
export class ServerLoop {
  /** What does not work, as the log has it: each problem is one line there, however long it lasts. */
  private readonly problems: { shop: string | null; console: string | null } = { shop: null, console: null };
  private isStopped = false;

  constructor(
    private readonly server: ServerSettings,
    private readonly shop: ShopClient,
    private readonly console: GameConsole,
    private readonly game: Game,
    private readonly journal: Journal,
    private readonly log: (line: string) => void,
  ) {}

  async run(): Promise<void> {
    while (!this.isStopped) await sleep(await this.round());
  }

  stop(): void {
    this.isStopped = true;
    this.console.close();
  }

  /** Reports what is left, runs what waits, and returns after how many milliseconds the next round begins. */
  async round(): Promise<number> {
    try {
      await this.report();
      const { serverId, maxPlayers, version } = this.server;
      const players = await this.probe();
      if (players === undefined) {
        await this.shop.heartbeat(serverId, { problem: this.problems.console });
        this.problems.shop = null;
        return PROBLEM_RETRY_MS;
      }
      const online = players?.length ?? 0;
      const beat = { onlinePlayers: online, maxPlayers: Math.max(maxPlayers, online), version };
      await this.shop.heartbeat(serverId, beat);
      const { deliveries, nextPollSeconds } = await this.shop.lease({
        ...{ serverId, limit: this.limit(), leaseSeconds: LEASE_SECONDS, saysBegun: true },
        ...(players === null ? {} : { players }),
      });
      await this.deliver(deliveries);
      this.problems.shop = null;
      return nextPollSeconds * 1_000;
    } catch (error) {
      this.note('shop', messageOf(error));
      return error instanceof ShopError ? error.retryMs : PROBLEM_RETRY_MS;
    }
  }

  /**
   * The console is asked before each lease: what is leased while it does not answer could not be delivered. The shop hears why instead.
   * @returns the players who are online; null: the way does not tell; undefined: the console does not answer
   */
  private async probe(): Promise<string[] | null | undefined> {
    const { probe, playersOf } = this.game;
    try {
      await this.console.open();
      const text = probe === '' || !this.console.confirms ? '' : await this.console.run(probe);
      if (this.problems.console !== null) this.log('The console answers again');
      this.problems.console = null;
      return playersOf === null ? null : playersOf(text);
    } catch (error) {
      this.note('console', messageOf(error));
      if (error instanceof Refused) this.isStopped = true;
      return undefined;
    }
  }

  private note(of: 'shop' | 'console', text: string): void {
    if (text !== this.problems[of]) this.log(text);
    this.problems[of] = text;
  }

  /** As many deliveries as the console can run in half of a lease, when each has a few commands. */
  private limit(): number {
    const { burst, perCommandMs } = this.game;
    if (perCommandMs === 0) return MAX_DELIVERIES;
    const commands = burst + USABLE_MS / perCommandMs;
    return Math.max(1, Math.min(MAX_DELIVERIES, Math.floor(commands / 5)));
  }

  private async deliver(deliveries: readonly Delivery[]): Promise<void> {
    const leasedAt = Date.now();
    const named = deliveries.map((delivery) => [nameOf(this.server.serverId, delivery), delivery] as const);
    // What is known of an earlier attempt stays in the journal.
    this.journal.add(...named.map(([name]): Entry => ({ ...name, mark: 'leased' })));
    let isAway = false;
    for (const [name, delivery] of named) {
      const isLate = Date.now() - leasedAt > USABLE_MS;
      const ended: Ending | null = isAway || isLate ? leftBehind('leased') : await this.runOne(name, delivery);
      if (ended === null) {
        this.journal.add({ ...name, mark: 'reported' });
        this.log(`${delivery.deliveryId} does not run: the shop has withdrawn it`);
        continue;
      }
      isAway ||= this.console.session === null;
      this.journal.add({ ...name, mark: 'result', ...ended });
      this.log(
        `${delivery.kind} for ${delivery.nickname} (${delivery.deliveryId}, run ${delivery.run}): ${ended.status}`,
      );
    }
    await this.report();
  }

  private runOne(name: LeasedName, delivery: Delivery): Promise<Ending | null> {
    const { deliveryId, attempt } = delivery;
    let begunAt = 0;
    const begin = async (): Promise<boolean> => {
      if (Date.now() - begunAt < RENEW_MS) return true;
      const sent = { deliveryId, attempt, status: 'begun', leaseSeconds: LEASE_SECONDS } as const;
      const [outcome] = await this.shop.acknowledge([sent]);
      begunAt = Date.now();
      return outcome?.accepted === true;
    };
    return runDelivery(name, delivery, { console: this.console, game: this.game, journal: this.journal, begin });
  }

  /** Reports every delivery of this server that the shop does not know the end of, also those that an earlier process left behind. */
  private async report(): Promise<void> {
    const open = this.journal.open().filter(({ serverId }) => serverId === this.server.serverId);
    for (let start = 0; start < open.length; start += MAX_REPORTS) {
      const entries = open.slice(start, start + MAX_REPORTS);
      const ended = entries.map((entry) => [entry, endOf(entry)] as const);
      this.journal.add(
        ...ended.flatMap(([entry, end]): Entry[] =>
          entry.mark === 'result' ? [] : [{ ...nameIn(entry), mark: 'result', ...end }],
        ),
      );
      const outcomes = await this.shop.acknowledge(ended.map(([entry, end]) => reportOf(entry, end)));
      for (const { deliveryId, status, accepted } of outcomes) {
        if (!accepted) this.log(`${deliveryId}: the shop did not accept the report; its state is ${status}`);
      }
      this.journal.add(...entries.map((entry): Entry => ({ ...nameIn(entry), mark: 'reported' })));
    }
  }
}

const nameOf = (serverId: string, { deliveryId, attempt, run }: Delivery): LeasedName => ({
  ...{ serverId, deliveryId, attempt, run },
});

const nameIn = ({ serverId, deliveryId, attempt, run }: Entry): LeasedName => ({ serverId, deliveryId, attempt, run });

const endOf = (entry: Entry): Ending =>
  entry.mark === 'result'
    ? { status: entry.status, output: entry.output }
    : leftBehind(entry.mark === 'reported' ? 'leased' : entry.mark);

function reportOf({ deliveryId, attempt }: Entry, { status, output }: Ending): Report {
  const retrySeconds = output === '' ? RELEASE_SECONDS : ABSENT_SECONDS;
  return { deliveryId, attempt, status, output, ...(status === 'released' ? { retrySeconds } : {}) };
}
