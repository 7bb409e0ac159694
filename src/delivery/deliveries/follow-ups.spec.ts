import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aDelivery } from '../../../test/support/deliveries.js';
import { DAY_MS } from '../../lib/time/durations.js';
import {
  type Delivery,
  type DeliveryKind,
  DELIVERY_KINDS,
  DELIVERY_STATES,
  type DeliveryState,
  type ItemTerms,
  type MoneyHolder,
  type Received,
} from './delivery.types.js';
import {
  followUpsOf,
  hasFollowUps,
  type ItemDeliveries,
  itemsOf,
  receivedOf,
  redelivered,
  redeliveryProblem,
  deliveryStatesOf,
} from './follow-ups.js';
import { type CommandStages } from '../../catalogue/commands/command-list.types.js';
import { NO_COMMANDS } from '../../../test/support/commands.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');
/** The time of an event, as a number of days from `NOW`. */
const day = (days: number): Date => new Date(NOW.getTime() + days * DAY_MS);
const STAGES: CommandStages = {
  ...{ commands: ['give'], extendCommands: ['stay'], upgradeCommands: ['rise'] },
  ...{ takeBackCommands: ['take'], expiryCommands: ['end'] },
};

const bought = (fields: Partial<Delivery> = {}): Delivery =>
  aDelivery({ state: 'delivered', deliveredAt: NOW, deliveredTo: 'Steve_42', serverId: 'server', ...fields });
/** A purchase; with `days`, what it gives ends so many days after its delivery. */
type Bought = Delivery & { readonly days?: number };
const timed = (fields: Partial<Bought> = {}): Bought => ({ ...bought(fields), days: 30 });
const refunded = ({ days, ...fields }: Partial<Bought> = {}): Bought => ({
  ...bought({ moneyIsBack: true, ...fields }),
  ...(days === undefined ? {} : { days }),
});
const takeBack = (fields: Partial<Delivery>): Delivery => aDelivery({ kind: 'take_back', dueAt: NOW, ...fields });
const expiry = (fields: Partial<Delivery>): Delivery => aDelivery({ kind: 'expiry', dueAt: day(30), ...fields });

const item = (purchase: Delivery, ...others: Delivery[]): ItemDeliveries => ({
  purchase,
  takeBack: others.find(({ kind }) => kind === 'take_back'),
  expiry: others.find(({ kind }) => kind === 'expiry'),
});
/** The terms of an item that is for itself. */
const termsOf = ({ purchase }: ItemDeliveries, fields: Partial<ItemTerms> = {}): ItemTerms => {
  const { deliveredAt, moneyIsBack: isRevoked, days } = purchase as Bought;
  const expiresAt = days === undefined || deliveredAt === null ? null : day(days + (+deliveredAt - +NOW) / DAY_MS);
  return { expiresAt, isRevoked, isLost: false, isReplaced: false, stage: 'first', ...fields };
};
const changes = (one: ItemDeliveries, stages = STAGES, terms = termsOf(one)): string[] =>
  hasFollowUps(one, terms)
    ? followUpsOf(one, terms, stages, NOW).map(
        (followUp) => `${'delivery' in followUp ? followUp.delivery.kind : followUp.before.kind} ${followUp.to}`,
      )
    : [];

describe('What follows from the delivery of an item', () => {
  const reopened = refunded({ deliveredAt: day(2) });
  it.each<[string, ItemDeliveries, string[]]>([
    ['nothing while the shop has the money', item(bought()), []],
    ['nothing when nothing was delivered', item(refunded({ state: 'revoked', deliveredAt: null })), []],
    ['nothing when it failed', item(refunded({ state: 'failed', deliveredAt: null, days: 30 })), []],
    ['a take-back when the money went back', item(refunded()), ['take_back added']],
    ['a take-back of an item that waits for a redelivery', item(refunded({ state: 'revoked' })), ['take_back added']],
    ['a take-back of an item whose redelivery failed', item(refunded({ state: 'failed' })), ['take_back added']],
    ['no second take-back while the first one waits', item(refunded(), takeBack({ state: 'queued' })), []],
    ['no second take-back while a plugin has the first one', item(refunded(), takeBack({ state: 'leased' })), []],
    ['no second take-back after the first one failed', item(refunded(), takeBack({ state: 'failed' })), []],
    [
      'no second take-back after the first one ran',
      item(refunded(), takeBack({ state: 'delivered', deliveredAt: NOW })),
      [],
    ],
    [
      'no take-back of an item that was never delivered',
      item(refunded({ deliveredAt: null }), takeBack({})),
      ['take_back revoked'],
    ],
    ['no expiry of an item whose time no longer ends', item(bought(), expiry({})), ['expiry revoked']],
    ['no take-back of an item without an end', item(bought(), takeBack({})), ['take_back revoked']],
    [
      'no take-back when the shop has the money again',
      item(timed(), takeBack({})),
      ['take_back revoked', 'expiry added'],
    ],
    [
      'no take-back, even while a plugin has it, when the shop has the money again',
      item(timed(), takeBack({ state: 'leased' }), expiry({})),
      ['take_back revoked'],
    ],
    [
      'a take-back after one that was not needed',
      item(refunded(), takeBack({ state: 'revoked' })),
      ['take_back queued'],
    ],
    [
      'a second take-back of an item that was delivered after the first one',
      item(reopened, takeBack({ state: 'delivered', deliveredAt: day(1) })),
      ['take_back queued'],
    ],
    ['an expiry', item(timed()), ['expiry added']],
    ['no second expiry while the first one waits', item(timed(), expiry({})), []],
    ['no second expiry while a plugin has the first one', item(timed(), expiry({ state: 'leased' })), []],
    ['no second expiry after the first one failed', item(timed(), expiry({ state: 'failed' })), []],
    [
      'no second expiry after the first one ran',
      item(timed(), expiry({ state: 'delivered', deliveredAt: day(30) })),
      [],
    ],
    [
      'a later expiry of an item that was delivered again',
      item(timed({ deliveredAt: day(5) }), expiry({})),
      ['expiry queued'],
    ],
    ['an expiry for another player', item(timed({ deliveredTo: 'Alex_42' }), expiry({})), ['expiry queued']],
    [
      'another expiry of an item that was delivered after the first one',
      item(timed({ deliveredAt: day(31) }), expiry({ state: 'delivered', deliveredAt: day(30) })),
      ['expiry queued'],
    ],
    [
      'a take-back in place of the expiry when the money went back',
      item(refunded({ days: 30 }), expiry({})),
      ['take_back added', 'expiry revoked'],
    ],
    [
      'no expiry of an item that was taken back',
      item(refunded({ days: 30 }), takeBack({ state: 'delivered', deliveredAt: NOW }), expiry({ state: 'revoked' })),
      [],
    ],
    [
      'the expiry again when the shop has the money again',
      item(timed(), expiry({ state: 'revoked' })),
      ['expiry queued'],
    ],
    ['no take-back while a plugin runs the expiry', item(refunded({ days: 30 }), expiry({ state: 'leased' })), []],
    [
      'a take-back when the expiry failed',
      item(refunded({ days: 30 }), expiry({ state: 'failed' })),
      ['take_back added'],
    ],
    [
      'no take-back of an item that has expired',
      item(refunded({ days: 30 }), expiry({ state: 'delivered', deliveredAt: day(30) })),
      [],
    ],
  ])('follows the delivery of an item with %s', (_, one, expected) => {
    expect(changes(one)).toEqual(expected);
  });

  it.each<[string, ItemDeliveries, Partial<ItemTerms>, string[]]>([
    ['again by its purchase', item(bought()), { isLost: true }, ['purchase queued']],
    ['no second time while its purchase waits', item(bought({ state: 'queued' })), { isLost: true }, []],
    ['with other commands while its purchase waits', item(aDelivery()), { stage: 'extend' }, ['purchase staged']],
    ['with the commands that a plugin has', item(aDelivery({ state: 'leased' })), { stage: 'extend' }, []],
    ['with the commands that ran', item(bought()), { stage: 'extend' }, []],
  ])('gives an item %s', (_, one, terms, expected) => {
    expect(changes(one, STAGES, termsOf(one, terms))).toEqual(expected);
  });

  it.each<[string, ItemDeliveries, boolean]>([
    ['a delivered item', item(bought()), false],
    ['an item for some days', item(timed()), true],
    ['an item whose money went back', item(refunded()), true],
    ['an item for some days that was not delivered', item(timed({ deliveredAt: null })), false],
    ['an item that was not delivered and whose money went back', item(refunded({ deliveredAt: null })), false],
    ['an item with a take-back', item(bought(), takeBack({})), true],
    ['an item with an expiry', item(bought(), expiry({})), true],
  ])('searches for follow-ups only where something can follow: %s', (_, one, expected) => {
    expect(hasFollowUps(one, termsOf(one))).toBe(expected);
  });

  it('finds no follow-up where the product has no commands for it; then an item expires also after a refund', () => {
    const forTime = refunded({ days: 30 });
    expect(changes(item(forTime), { ...STAGES, takeBackCommands: [] })).toEqual(['expiry added']);
    expect(changes(item(forTime), { ...NO_COMMANDS, commands: STAGES.commands })).toEqual([]);
  });

  it('creates a follow-up for the player and the server that got the item, at its time', () => {
    const purchase = timed({ nickname: 'New_name', position: 2, requiresOnline: true, createdAt: day(-9) });
    const delivery = {
      ...{ orderId: purchase.orderId, serverId: 'server', position: 2, quantity: 3, commandListId: 'list' },
      ...{ nickname: 'Steve_42', requiresOnline: true, stage: 'first', isRehearsal: false, createdAt: NOW },
    };
    const followed = (one: ItemDeliveries) => followUpsOf(one, termsOf(one), STAGES, NOW);
    expect(followed(item(purchase))).toEqual([
      { to: 'added', delivery: { ...delivery, kind: 'expiry', dueAt: day(30), moneyIsBack: false } },
    ]);
    expect(followed(item({ ...purchase, moneyIsBack: true }))).toEqual([
      { to: 'added', delivery: { ...delivery, kind: 'take_back', dueAt: NOW, moneyIsBack: true } },
    ]);
  });

  it('ends after one step, whatever the states are, and never both revokes and expires', () => {
    const instant = fc.option(fc.integer({ min: 0, max: 3 }).map(day));
    const own = fc.record({ state: fc.constantFrom(...DELIVERY_STATES), deliveredAt: instant });
    // Queueing a take-back or an expiry again clears when it ran.
    const other = own.map(({ state, deliveredAt }) => ({
      state,
      deliveredAt: state === 'delivered' ? (deliveredAt ?? NOW) : null,
    }));
    fc.assert(
      fc.property(
        own,
        fc.option(other),
        fc.option(other),
        fc.boolean(),
        fc.boolean(),
        (purchased, back, end, isBack, ends) => {
          const purchase = { ...bought({ ...purchased, moneyIsBack: isBack }), ...(ends ? { days: 1 } : {}) };
          let now = item(purchase, ...(back ? [takeBack(back)] : []), ...(end ? [expiry(end)] : []));
          for (const followUp of hasFollowUps(now, termsOf(now)) ? followUpsOf(now, termsOf(now), STAGES, NOW) : []) {
            const next =
              'delivery' in followUp
                ? aDelivery({ ...followUp.delivery, state: 'queued' })
                : { ...followUp.before, state: 'revoked' as const };
            const changed = { purchase: 'purchase', take_back: 'takeBack', expiry: 'expiry' } as const;
            now = { ...now, [changed[next.kind]]: next };
          }
          expect(changes(now)).toEqual([]);
          if (hasFollowUps(now, termsOf(now)))
            expect([now.takeBack?.state, now.expiry?.state]).not.toEqual(['queued', 'queued']);
        },
      ),
    );
  });
});

describe('deliveryStatesOf', () => {
  const gone = takeBack({ state: 'delivered', deliveredAt: day(1) });
  it.each<[string, Delivery[], DeliveryState]>([
    ['the state of the purchase', [aDelivery({ state: 'leased' })], 'leased'],
    ['delivered while the take-back waits', [refunded(), takeBack({})], 'delivered'],
    ['delivered while a plugin has the take-back', [refunded(), takeBack({ state: 'leased' })], 'delivered'],
    ['revoked after the take-back', [refunded(), gone], 'revoked'],
    ['failed when the take-back failed', [refunded(), takeBack({ state: 'failed' })], 'failed'],
    [
      'delivered when the shop has the money again after a failed take-back',
      [bought(), takeBack({ state: 'failed' })],
      'delivered',
    ],
    ['queued when staff deliver again what was taken back', [bought({ state: 'queued' }), gone], 'queued'],
    ['delivered when it was delivered after the take-back', [bought({ deliveredAt: day(2) }), gone], 'delivered'],
    ['delivered whatever its expiry does', [timed(), expiry({ state: 'failed' })], 'delivered'],
  ])('returns %s', (_, deliveries, expected) => {
    expect([...deliveryStatesOf(itemsOf(deliveries))]).toEqual([[aDelivery().orderId, expected]]);
  });

  it('computes one status from all items of each order', () => {
    const other = { orderId: 'other' };
    const deliveries = [
      refunded(),
      gone,
      refunded({ position: 1 }),
      bought(other),
      takeBack({ ...other, position: 9 }),
    ];
    expect([...deliveryStatesOf(itemsOf(deliveries))]).toEqual([
      [aDelivery().orderId, 'revoked'],
      ['other', 'delivered'],
    ]);
  });
});

describe('an item that a refund took back of an order', () => {
  const other = { position: 1 };
  const gone = takeBack({ state: 'delivered', deliveredAt: day(1) });
  it.each<[string, Delivery[], DeliveryState]>([
    ['delivered, like the rest, after the take-back', [refunded(), gone, bought(other)], 'delivered'],
    ['queued, like the rest', [refunded({ state: 'revoked', deliveredAt: null }), aDelivery(other)], 'queued'],
    [
      'delivered, although it had failed',
      [refunded({ state: 'failed', deliveredAt: null }), bought(other)],
      'delivered',
    ],
    ['failed when its take-back failed', [refunded(), takeBack({ state: 'failed' }), bought(other)], 'failed'],
    ['uncertain while nobody knows whether it arrived', [refunded({ state: 'uncertain' }), bought(other)], 'uncertain'],
  ])('leaves the order %s', (_, deliveries, expected) => {
    expect([...deliveryStatesOf(itemsOf(deliveries)).values()]).toEqual([expected]);
  });

  it('is neither given nor taken once more with the rest, and its failed take-back runs again', () => {
    const rest = bought(other);
    expect(redelivered([refunded(), gone, rest], 'shop')).toEqual([rest]);
    const failed = { ...takeBack({ state: 'failed' }), moneyIsBack: true };
    expect(redelivered([refunded({ state: 'failed' }), failed, rest], 'shop')).toEqual([failed]);
    expect(redeliveryProblem(refunded({ state: 'failed' }), 'shop', true)).toBe('money_elsewhere');
    expect(redeliveryProblem(failed, 'shop', true)).toBeNull();
  });
});

describe('receivedOf', () => {
  const second = { position: 1 };
  const gone = takeBack({ state: 'delivered', deliveredAt: day(1) });
  it.each<[string, Delivery[], Received]>([
    ['nothing before the first delivery', [aDelivery(), aDelivery({ ...second, state: 'leased' })], 'nothing'],
    [
      'nothing when it was revoked before it was delivered',
      [aDelivery({ state: 'revoked', moneyIsBack: true })],
      'nothing',
    ],
    ['part when one of two is delivered', [bought(), aDelivery(second)], 'part'],
    ['everything when all is delivered', [bought(), bought(second)], 'everything'],
    ['everything while it waits for a redelivery', [bought({ state: 'queued' })], 'everything'],
    ['part when a part was revoked', [refunded(), refunded(second), gone], 'part'],
    ['revoked when all of it was revoked', [refunded(), gone], 'revoked'],
    [
      'revoked when the rest was never delivered',
      [refunded(), gone, aDelivery({ ...second, state: 'revoked' })],
      'revoked',
    ],
    [
      'everything when it was delivered again after it was revoked',
      [bought({ deliveredAt: day(2) }), gone],
      'everything',
    ],
  ])('returns %s', (_, deliveries, expected) => {
    expect(receivedOf(itemsOf(deliveries))).toBe(expected);
  });

  it('returns nothing for an order without deliveries', () => {
    expect(receivedOf([])).toBe('nothing');
  });
});

describe('A redelivery', () => {
  const all = DELIVERY_KINDS.flatMap((kind) => DELIVERY_STATES.map((state) => aDelivery({ kind, state })));
  const named = (deliveries: readonly Delivery[]): string[] => deliveries.map(({ kind, state }) => `${kind} ${state}`);

  it.each<[MoneyHolder, DeliveryKind[], DeliveryKind[]]>([
    ['shop', ['purchase', 'take_back', 'expiry'], ['purchase']],
    ['buyer', ['take_back', 'expiry'], ['take_back']],
    ['unclear', [], []],
  ])(
    'queues, while the money is with: %s, what failed, else what is uncertain, else what was delivered',
    (money, open, done) => {
      const without = (...states: DeliveryState[]): string[] =>
        named(
          redelivered(
            all.filter(({ state }) => !states.includes(state)),
            money,
          ),
        );
      expect(without()).toEqual(open.map((kind) => `${kind} failed`));
      expect(without('failed')).toEqual(open.map((kind) => `${kind} uncertain`));
      const both = done.flatMap((kind) => [`${kind} delivered`, `${kind} handed_over`]);
      expect(without('failed', 'uncertain')).toEqual(both);
    },
  );

  it('calls an item uncertain whose revocation nobody saw, and revoked when what was handed over was taken back', () => {
    const deliveredAt = new Date(1_000);
    const purchase = aDelivery({ state: 'handed_over', deliveredAt, moneyIsBack: true });
    const stateWith = (takeBack: Delivery): DeliveryState | undefined =>
      deliveryStatesOf(itemsOf([purchase, takeBack])).get(purchase.orderId);
    expect(stateWith(aDelivery({ kind: 'take_back', state: 'uncertain' }))).toBe('uncertain');
    const taken = aDelivery({ kind: 'take_back', state: 'handed_over', deliveredAt: new Date(2_000) });
    expect(stateWith(taken)).toBe('revoked');
  });
});
