import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../../src/lib/time/durations.js';
import { type EntitlementDto } from '../../src/orders/entitlements/dto/entitlement.dto.js';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  lease,
  reportPayment,
} from '../deliveries/delivery-actors.js';
import { anOrder, aProduct, type TestOrder } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { passDays, played } from './entitlement-actors.js';

const RANK = {
  ...{ name: 'VIP rank', durationDays: 30, repeat: 'extend', commands: ['give {nickname}'] },
  ...{ takeBackCommands: ['take {nickname}'], expiryCommands: ['end {nickname}'] },
};
const ITEM_GONE = 'The player does not have the item: it waits, or has ended';

let app: TestApp;
let shop: DeliveringShop;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api, RANK);
});
afterAll(() => app.close());

const token = (): { readonly token: string } => ({ token: shop.owner.token });
async function owned({ id }: TestOrder): Promise<EntitlementDto> {
  const path = `/entitlements/${shop.shopId}?orderId=${id}&state=all`;
  const [entitlement] = expectSuccess<EntitlementDto[]>(await app.api.get(path, token()));
  if (entitlement === undefined) throw new Error('The order has given nothing');
  return entitlement;
}
async function bought(body: object = {}): Promise<TestOrder> {
  const order = await aPaidOrder(app.api, shop, { nickname: 'Steve_42', ...body });
  await played(app, shop);
  return order;
}
const end = async (order: TestOrder) =>
  app.api.post(`/entitlements/${shop.shopId}/${(await owned(order)).id}/end`, { reason: 'Cheated' }, token());

describe('What staff end', () => {
  it('is taken back at once, for good, and in the history of the order', async () => {
    const order = await bought();
    const before = await owned(order);
    const ended = expectSuccess<EntitlementDto>(await end(order), 'Entitlement ended');
    const { until, changedAt } = ended;
    expect(ended).toEqual({ ...before, state: 'ended', endedBy: 'staff', until, changedAt });
    expect(Math.abs(Date.now() - Date.parse(until ?? ''))).toBeLessThan(60_000);
    expect(await played(app, shop)).toEqual(['take Steve_42']);
    expectError(await end(order), 409, ITEM_GONE);
    const read = await app.api.get(`/orders/${shop.shopId}/${order.id}`, token());
    const { history, deliveryStatus } = expectSuccess<{ history: object[]; deliveryStatus: string }>(read);
    expect(deliveryStatus).toBe('revoked');
    expect(history).toContainEqual(
      expect.objectContaining({ action: 'entitlement_ended', detail: 'VIP rank: Cheated' }),
    );
    await reportPayment(app.api, shop, order, 'refund.succeeded');
    await passDays(app, shop, 31);
    expect([await played(app, shop), (await owned(order)).endedBy]).toEqual([[], 'staff']);
  });

  it('stays when another purchase gives the same, whose time is then shorter', async () => {
    const [first, second] = [await bought(), await bought()];
    expectSuccess(await end(first));
    expect(await played(app, shop)).toEqual([]);
    await passDays(app, shop, 31);
    expect(await played(app, shop)).toEqual(['end Steve_42']);
    expect((await owned(second)).endedBy).toBe('expired');
  });

  it('runs the commands of the end where nothing else takes it back', async () => {
    const order = await bought({ productId: await aProduct(app.api, shop, { ...RANK, takeBackCommands: [] }) });
    expectSuccess(await end(order));
    expect(await played(app, shop)).toEqual(['end Steve_42']);
  });

  it('is not given again by a redelivery, also when a plugin is running it', async () => {
    const [order, other] = [await bought(), await bought({ nickname: 'Alex_42' })];
    const redeliver = ({ id }: TestOrder) =>
      app.api.post(`/orders/${shop.shopId}/${id}/redeliver`, { reason: 'It was lost' }, token());
    expectSuccess(await redeliver(order));
    expectSuccess(await end(order));
    expect(await played(app, shop)).toEqual(['take Steve_42']);
    expectSuccess(await redeliver(other));
    const [leased] = await lease(app.api, shop);
    expectSuccess(await end(other));
    if (leased !== undefined) await acknowledge(app.api, shop, leased);
    expect(await played(app, shop)).toEqual(['take Alex_42']);
  });

  it('can be taken back again when the plugin could not do it', async () => {
    const order = await bought();
    expectSuccess(await end(order));
    const [leased] = await lease(app.api, shop);
    if (leased !== undefined) await acknowledge(app.api, shop, leased, 'failed');
    expectSuccess(await app.api.post(`/orders/${shop.shopId}/${order.id}/redeliver`, { reason: 'Once more' }, token()));
    expect(await played(app, shop)).toEqual(['take Steve_42']);
  });

  it('is something that the player has', async () => {
    const waiting = await aPaidOrder(app.api, shop);
    expectError(await end(waiting), 409, ITEM_GONE);
    await played(app, shop);
    await passDays(app, shop, 31);
    expectError(await end(waiting), 409, ITEM_GONE);
    const path = `/entitlements/${shop.shopId}/${'0'.repeat(24)}/end`;
    expectError(await app.api.post(path, { reason: 'Cheated' }, token()), 404, 'There is no such entitlement');
  });
});

describe('What staff transfer', () => {
  const transfer = async (order: TestOrder, body: object = {}) => {
    const path = `/entitlements/${shop.shopId}/${(await owned(order)).id}/transfer`;
    return app.api.post(path, { nickname: 'Alex_42', reason: 'Sold', ...body }, token());
  };

  it('is taken from the one player and then given to the other one, with the time that is left', async () => {
    const order = await bought();
    const { until } = await owned(order);
    await passDays(app, shop, 10);
    expect(expectSuccess(await transfer(order), 'Entitlement transferred')).toMatchObject({
      ...{ nickname: 'Alex_42', state: 'active', orderId: order.id },
      until: new Date(Date.parse(until ?? '') - 10 * DAY_MS).toISOString(),
    });
    const again = { reason: 'It was lost' };
    expectError(await transfer(order, { nickname: 'Robin_42' }), 409, ITEM_GONE);
    expectError(await app.api.post(`/orders/${shop.shopId}/${order.id}/redeliver`, again, token()), 409, /no delivery/);
    expect(await played(app, shop)).toEqual(['take Steve_42']);
    expect(await played(app, shop)).toEqual(['give Alex_42']);
    expect(await played(app, shop)).toEqual([]);
    await passDays(app, shop, 21);
    expect(await played(app, shop)).toEqual(['end Alex_42']);
    const read = await app.api.get(`/orders/${shop.shopId}/${order.id}`, token());
    expect(expectSuccess<{ history: object[] }>(read).history).toContainEqual(
      expect.objectContaining({
        action: 'entitlement_transferred',
        detail: 'VIP rank: Steve_42 -> Alex_42: Sold',
      }),
    );
  });

  it('runs no command when the account was renamed in the game', async () => {
    const order = await bought();
    expectSuccess(await transfer(order, { runCommands: false }));
    expect(await played(app, shop)).toEqual([]);
    await passDays(app, shop, 31);
    expect(await played(app, shop)).toEqual(['end Alex_42']);
  });

  it('leaves what another purchase of the player gives, for its own time', async () => {
    const [first] = [await bought(), await bought()];
    expectSuccess(await transfer(first));
    expect(await played(app, shop)).toEqual(['give Alex_42']);
    await passDays(app, shop, 31);
    expect([...(await played(app, shop))].sort()).toEqual(['end Alex_42', 'end Steve_42']);
  });

  it('adds up with what the other player has', async () => {
    await bought({ nickname: 'Alex_42' });
    expectSuccess(await transfer(await bought()));
    expect(await played(app, shop)).toEqual(['take Steve_42']);
    expect(await played(app, shop)).toEqual(['give Alex_42']);
    await passDays(app, shop, 59);
    expect(await played(app, shop)).toEqual([]);
    await passDays(app, shop, 2);
    expect(await played(app, shop)).toEqual(['end Alex_42']);
  });

  it('is taken from the one who has it when its money goes back on the way, and given to nobody', async () => {
    const [order, other] = [await bought(), await bought({ nickname: 'Robin_42' })];
    expectSuccess(await transfer(order));
    await reportPayment(app.api, shop, order, 'refund.succeeded');
    expect(await played(app, shop)).toEqual(['take Steve_42']);
    expectSuccess(await transfer(other));
    await played(app, shop);
    await played(app, shop);
    await reportPayment(app.api, shop, other, 'refund.succeeded');
    expect(await played(app, shop)).toEqual(['take Alex_42']);
  });

  it('is what one player has, undisputed, and another one can get', async () => {
    const waiting = await aPaidOrder(app.api, shop);
    expectError(await transfer(waiting), 409, ITEM_GONE);
    await played(app, shop);
    expectError(await transfer(waiting, { nickname: 'steve_42' }), 409, /already has this nickname/);
    expectError(await transfer(waiting, { nickname: 'no such name' }), 400, /nickname/);
    await reportPayment(app.api, shop, waiting, 'dispute.opened', { disputeId: 'dp_1' });
    expectError(await transfer(waiting), 409, ITEM_GONE);
    const once = { productId: await aProduct(app.api, shop, { ...RANK, repeat: 'refuse' }) };
    await bought({ ...once, nickname: 'Alex_42' });
    expectError(await transfer(await bought({ ...once, nickname: 'Robin_42' })), 409, /owns the product already/);
  });
});

/** What happens to the order of something that was delivered. */
type Happening = (order: TestOrder) => Promise<unknown>;

const report =
  (...types: readonly string[]): Happening =>
  async (order) => {
    for (const type of types) {
      const dispute = type.startsWith('dispute') ? { disputeId: 'dp_1' } : {};
      await reportPayment(app.api, shop, order, type, dispute);
    }
  };

it.each<[string, Happening, object]>([
  ['a refund', report('refund.succeeded'), { state: 'ended', endedBy: 'refund' }],
  ['a dispute', report('dispute.opened'), { state: 'held', endedBy: null }],
  ['a dispute that is won', report('dispute.opened', 'dispute.won'), { state: 'active', endedBy: null }],
  ['a dispute that is lost', report('dispute.opened', 'dispute.lost'), { state: 'ended', endedBy: 'chargeback' }],
])('An entitlement follows %s', async (_what, happens, expected) => {
  const order = await bought();
  await happens(order);
  expect(await owned(order)).toMatchObject({ nickname: 'Steve_42', ...expected });
});

it('follows a change of the nickname, and an erasure, after which it still ends in the game', async () => {
  const order = await anOrder(app.api, shop.shopId, { productId: shop.productId, serverId: shop.serverId });
  await reportPayment(app.api, shop, order, 'payment.succeeded');
  const change = { newNickname: 'Alex_42', reason: 'A mistake' };
  expectSuccess(await app.api.post(`/orders/${shop.shopId}/${order.id}/nickname`, change, token()));
  expect(await owned(order)).toMatchObject({ nickname: 'Alex_42', state: 'pending' });
  await played(app, shop);
  const erase = { email: order.email, reason: 'Asked', running: 'keep' };
  expectSuccess(await app.api.post(`/buyers/${shop.shopId}/erase`, erase, token()));
  expect((await owned(order)).nickname).toMatch(/^erased-/);
  await passDays(app, shop, 31);
  expect(await played(app, shop)).toEqual(['end Alex_42']);
});
