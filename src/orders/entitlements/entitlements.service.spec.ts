import { afterEach, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { setWallClock, startClock, stopDate } from '../../../test/support/clock.js';
import { SHOP } from '../../../test/support/contexts.js';
import { aDelivery } from '../../../test/support/deliveries.js';
import { recording, TRANSACTION } from '../../../test/support/fakes.js';
import { repetitions } from '../../../test/support/repetitions.js';
import { type CommandsService } from '../../catalogue/commands/commands.service.js';
import { type ServersService } from '../../catalogue/servers/servers.service.js';
import { DELIVERY_TRANSITIONS } from '../../delivery/deliveries/delivery-transitions.js';
import { STATE_BY_MONEY } from '../../delivery/deliveries/delivery-rules.js';
import { type Delivery, type MoneyHolder, type NewDelivery } from '../../delivery/deliveries/delivery.types.js';
import { FollowUpsService } from '../../delivery/deliveries/follow-ups.service.js';
import { type OrderDeliveriesRepository } from '../../delivery/deliveries/order-deliveries.repository.js';
import { type BuyerPseudonyms } from '../../infrastructure/buyers/buyer-pseudonyms.service.js';
import { type QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { canMove } from '../../lib/states/transitions.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { moneyHolder } from '../order/order-rules.js';
import { type PaymentStatus } from '../order/order.types.js';
import { type EntitlementsRepository } from './entitlements.repository.js';
import { EntitlementsService } from './entitlements.service.js';
import { type Entitlement, type EntitlingOrder } from './entitlement.types.js';

const START = new Date('2026-03-01T00:00:00.000Z');
const SERVERS = ['one', 'two'];
const STAGES = {
  ...{ commands: ['give'], extendCommands: ['stay'], upgradeCommands: [] },
  ...{ takeBackCommands: ['take'], expiryCommands: ['end'] },
};
const PAYMENTS: readonly PaymentStatus[] = ['paid', 'refunded', 'disputed', 'charged_back'];

type Step =
  | { readonly does: 'buy'; readonly server: number; readonly quantity: number; readonly days: number | null }
  | { readonly does: 'lease' | 'run' | 'report' }
  | { readonly does: 'pay'; readonly order: number; readonly payment: number }
  | { readonly does: 'end'; readonly order: number }
  | { readonly does: 'wait'; readonly days: number };

beforeEach(() => stopDate(START));
afterEach(startClock);

/** A shop with one rank, one player and two game servers, in memory. */
class World {
  private readonly orders: EntitlingOrder[] = [];
  private readonly deliveries = new Map<string, Delivery>();
  private readonly entitlements = new Map<string, Entitlement>();
  /** What plugins run now. */
  private readonly inFlight: string[] = [];
  /** On which servers the player has the rank. */
  private readonly ranks = new Set<string>();
  private readonly service: EntitlementsService;

  constructor() {
    const set = (before: Delivery, fields: Partial<Delivery>): Promise<void> => {
      this.deliveries.set(before.id, { ...before, ...fields });
      return Promise.resolve();
    };
    const ofOrders = recording<OrderDeliveriesRepository>([], {
      findOf: (_, ids) => Promise.resolve([...this.deliveries.values()].filter(({ orderId }) => ids.includes(orderId))),
      insertMissing: (_, added) => {
        for (const one of added) this.add(one);
        return Promise.resolve();
      },
      queue: (before, fields) =>
        set(before, { ...fields, state: 'queued', ...(before.kind === 'purchase' ? {} : { deliveredAt: null }) }),
      setStage: (before, stage) => set(before, { stage }),
      revoke: (before) => set(before, { state: 'revoked' }),
    });
    const followUps = new FollowUpsService(
      ofOrders,
      recording<CommandsService>([], { ofLists: () => Promise.resolve(() => STAGES) }),
      recording<ServersService>([], { deletedOf: () => Promise.resolve([]) }),
    );
    const stored = (isWanted: (one: Entitlement) => boolean): Promise<Entitlement[]> =>
      Promise.resolve([...this.entitlements.values()].filter(isWanted));
    this.service = new EntitlementsService(
      recording<EntitlementsRepository>([], {
        find: (_, wanted) => Promise.resolve(this.entitlements.get(wanted) ?? null),
        endByStaff: (_, ended, endsAt) => {
          const before = this.entitlements.get(ended);
          if (before !== undefined) this.entitlements.set(ended, { ...before, endedBy: 'staff', endsAt });
          return Promise.resolve();
        },
        ofOrders: (_, ids) => stored(({ orderId }) => ids.includes(orderId)),
        ofPlayers: (_, keys) => stored(({ nicknameKey }) => keys.includes(nicknameKey)),
        save: (changes) => {
          for (const { after } of changes) this.entitlements.set(after.id, after);
          return Promise.resolve();
        },
      }),
      followUps,
      recording<QuotasService>([], { claimPlayers: () => Promise.resolve() }),
      recording<BuyerPseudonyms>([], { allOf: () => [] }),
    );
  }

  async does(step: Step): Promise<void> {
    // No two things happen at the same time.
    await this.wait(1);
    if (step.does === 'buy') await this.buy(step);
    if (step.does === 'lease') this.lease();
    if (step.does === 'run') for (let count = this.lease(); count > 0; count--) await this.report();
    if (step.does === 'report') await this.report();
    if (step.does === 'wait') await this.wait(step.days * DAY_MS);
    if (step.does === 'end') await this.end(step.order);
    if (step.does === 'pay') await this.pay(step.order, PAYMENTS[step.payment] ?? 'paid');
  }

  /** Lets all disputes end, and all that is due run. */
  async settles(): Promise<void> {
    for (const [index, { paymentStatus }] of this.orders.entries()) {
      if (paymentStatus === 'disputed') await this.pay(index, 'paid');
    }
    for (let round = 0; round < 20; round++) {
      await this.wait(1);
      await this.follow(this.orders.map(({ id }) => id));
      if (this.lease() === 0 && this.inFlight.length === 0) return;
      while (this.inFlight.length > 0) await this.report();
    }
    throw new Error('It never ends');
  }

  /** On which servers the player has the rank, by the game servers, by the records, and by a model that knows only purchases. */
  seen(): readonly unknown[] {
    const now = Date.now();
    const on = (isOwned: (server: string) => boolean) => SERVERS.filter(isOwned);
    const isActive = ({ state, endsAt }: Entitlement) => state === 'active' && (endsAt === null || +endsAt > now);
    const active = [...this.entitlements.values()].filter(isActive);
    return [
      on((server) => this.ranks.has(server)),
      on((server) => active.some(({ serverId }) => serverId === server)),
      on((server) => this.modelledEnd(server) > now),
    ];
  }

  /** The model: the days of the purchases that are paid for, one after the other, from their deliveries. */
  private modelledEnd(server: string): number {
    const bought = [...this.entitlements.values()].flatMap(
      ({ orderId, startsAt, durationDays, quantity, serverId, endedBy }) => {
        const order = this.orders.find(({ id }) => id === orderId);
        const isPaid = order !== undefined && ['paid', 'disputed'].includes(order.paymentStatus) && endedBy !== 'staff';
        return isPaid && startsAt !== null && serverId === server
          ? [{ from: startsAt.getTime(), days: durationDays === null ? Infinity : durationDays * quantity }]
          : [];
      },
    );
    return bought
      .sort((one, other) => one.from - other.from)
      .reduce((end, { from, days }) => Math.max(end, from) + days * DAY_MS, -Infinity);
  }

  private async buy({ server, quantity, days }: Extract<Step, { does: 'buy' }>): Promise<void> {
    const id = `order ${this.orders.length}`;
    const serverId = SERVERS[server] ?? '';
    const item = { productId: 'vip', countsAs: 'vip', repeat: 'extend', ownedEverywhere: false, quantity, netMinor: 0 };
    const items = [{ ...item, durationDays: days }] as unknown as EntitlingOrder['items'];
    const states = { status: 'completed', paymentStatus: 'paid', deliveryStatus: 'queued' } as const;
    this.orders.push({
      id,
      origin: 'checkout',
      reversals: [],
      serverId,
      nickname: 'Steve',
      buyerKey: 'steve@example.com',
      items,
      ...states,
    });
    this.add({ ...aDelivery({ orderId: id, serverId, quantity, nickname: 'Steve' }), dueAt: new Date() });
    await this.follow([id]);
  }

  private add(delivery: NewDelivery): void {
    const id = `${delivery.orderId} ${delivery.kind}`;
    if (!this.deliveries.has(id)) this.deliveries.set(id, { ...aDelivery(), ...delivery, id, state: 'queued' });
  }

  /** A plugin gets all that is due. @returns how much it is */
  private lease(): number {
    const due = [...this.deliveries.values()].filter(({ state, dueAt }) => state === 'queued' && dueAt <= new Date());
    for (const { kind, serverId } of due) {
      if (kind !== 'purchase' && this.modelledEnd(serverId ?? '') > Date.now())
        throw new Error('It takes what is paid');
    }
    for (const delivery of due) this.deliveries.set(delivery.id, { ...delivery, state: 'leased' });
    this.inFlight.push(...due.map(({ id }) => id));
    return due.length;
  }

  /** The plugin runs the commands of the delivery that it has had for the longest time, and reports it. */
  private async report(): Promise<void> {
    const delivery = this.deliveries.get(this.inFlight.shift() ?? '');
    if (delivery === undefined) return;
    await this.wait(1);
    const { serverId, kind, stage } = delivery;
    if (kind !== 'purchase') this.ranks.delete(serverId ?? '');
    else if (stage === 'first') this.ranks.add(serverId ?? '');
    if (delivery.state !== 'delivered') {
      const delivered = { state: 'delivered', deliveredAt: new Date(), deliveredTo: 'Steve' } as const;
      this.deliveries.set(delivery.id, { ...delivery, ...delivered });
    }
    await this.follow([delivery.orderId]);
  }

  private async pay(index: number, paymentStatus: PaymentStatus): Promise<void> {
    const at = this.orders.length === 0 ? 0 : index % this.orders.length;
    const order = this.orders[at];
    if (order === undefined) return;
    this.orders[at] = { ...order, paymentStatus };
    const money: MoneyHolder = moneyHolder({ ...order, paymentStatus });
    const purchase = this.deliveries.get(`${order.id} purchase`);
    const to = STATE_BY_MONEY[money];
    if (purchase !== undefined && canMove(DELIVERY_TRANSITIONS, purchase.state, to)) {
      this.deliveries.set(purchase.id, { ...purchase, state: to });
    }
    await this.follow([order.id]);
  }

  /** Staff end what the player has by an order, if it is there. */
  private async end(index: number): Promise<void> {
    const order = this.orders[index];
    const owned = [...this.entitlements.values()].find(({ orderId }) => orderId === order?.id);
    const hasEnded = owned?.endsAt != null && owned.endsAt <= new Date();
    const isHad = owned?.startsAt != null && (owned.state === 'active' || owned.state === 'held') && !hasEnded;
    const ending = this.service.endByStaff(SHOP, owned?.id ?? '', TRANSACTION);
    if (isHad) await ending;
    else await expect(ending).rejects.toMatchObject({ code: expect.stringMatching(/^entitlement_not_/) as unknown });
    if (order !== undefined) await this.follow([order.id]);
  }

  private async follow(ids: readonly string[]): Promise<void> {
    const orders = this.orders.filter(({ id }) => ids.includes(id));
    await this.service.follow(SHOP, orders, TRANSACTION);
  }

  private wait(ms: number): Promise<void> {
    setWallClock(ms);
    return Promise.resolve();
  }
}

const step = fc.oneof(
  fc.record({
    does: fc.constant('buy' as const),
    server: fc.constantFrom(0, 0, 1),
    quantity: fc.constantFrom(1, 1, 3),
    days: fc.constantFrom(30, 30, 90, null),
  }),
  fc.record({ does: fc.constantFrom('lease', 'run', 'run', 'report', 'report') }),
  fc.record({ does: fc.constant('pay' as const), order: fc.nat({ max: 5 }), payment: fc.nat({ max: 3 }) }),
  fc.record({ does: fc.constant('end' as const), order: fc.nat({ max: 5 }) }),
  fc.record({ does: fc.constant('wait' as const), days: fc.constantFrom(1, 10, 29, 31, 100) }),
) as fc.Arbitrary<Step>;

it('gives a player on each game server what is paid for, until its end, whatever happens in which order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const world = new World();
      for (const one of steps) await world.does(one);
      await world.settles();
      const [ranks, records, model] = world.seen();
      expect([ranks, records]).toEqual([model, model]);
    }),
    { numRuns: repetitions(60, 2_000) },
  );
});
