import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Call, directTransactions, EMAILED_SHOP, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { type Order } from '../order/order.types.js';
import { type OrdersService } from '../order/orders.service.js';
import { OutboxHandlers } from '../../events/outbox/outbox-handlers.js';
import { type OutboxItem } from '../../events/outbox/outbox.types.js';
import { type OutboxService } from '../../events/outbox/outbox.service.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { NicknameCodeRequestsService } from './nickname-code-requests.service.js';
import { type Requester } from './nickname-code.types.js';
import { type NicknameCodesService } from './nickname-codes.service.js';
import { type NicknameEmailsService } from './nickname-emails.service.js';

const ORDER = '655f1c2ab1e4a9d3f0c81250';
const NOWHERE = '655f1c2ab1e4a9d3f0c81251';
const ADDRESS = '192.0.2.7';
const NETWORK = { address: ADDRESS, orderToken: undefined };
const order = { id: ORDER, shopId: EMAILED_SHOP.id, email: 'steve@example.com' } as Order;

let calls: Call[];
let handlers: OutboxHandlers;
/** Whether the limits of the order allow a code. */
let isAllowed: boolean;
let service: NicknameCodeRequestsService;

beforeEach(() => {
  [calls, handlers, isAllowed] = [[], new OutboxHandlers(), true];
  service = new NicknameCodeRequestsService(
    recording<OutboxService>(calls, { add: () => Promise.resolve([]) }),
    handlers,
    recording<OrdersService>([], {
      findPublic: (id) => Promise.resolve(id === ORDER ? order : null),
      findByToken: (id, token) => Promise.resolve(id === ORDER && token === 'sho_right' ? order : null),
    }),
    recording<NicknameCodesService>(calls, {
      buyer: (orderId) => ({ orderId, holder: 'buyer' }),
      network: (orderId, address) => ({ orderId, holder: `network of ${address ?? ''}` }),
      isBuyer: ({ holder }) => holder === 'buyer',
      issue: (_of, _email, deliver) => (isAllowed ? deliver('04711729', TRANSACTION) : Promise.resolve()),
    }),
    recording<ShopsService>([], { settingsOf: () => Promise.resolve(EMAILED_SHOP as Shop) }),
    recording<NicknameEmailsService>(calls, { code: () => Promise.resolve() }),
    directTransactions,
  );
  service.onModuleInit();
});

const named = (name: string): Call[] => calls.filter(([one]) => one === name);
const send = (orderId: string, requester: Requester = NETWORK): Promise<void> =>
  service.send({ payload: { orderId, requester } } as OutboxItem);

it('stores a request alike for every order, known or not, and reads nothing', async () => {
  for (const orderId of [ORDER, NOWHERE]) {
    await service.add(orderId, NETWORK);
    const payload = { orderId, requester: NETWORK };
    const message = {
      topic: 'nickname-code',
      shopId: null,
      orderId: payload.orderId,
      lane: 'requests',
      stream: null,
      payload,
    };
    expect(calls.splice(0)).toEqual([['add', [message], TRANSACTION]]);
  }
});

describe('a stored request', () => {
  it('writes the email with the code in the transaction that stores the code', async () => {
    await send(ORDER);
    const [issue] = named('issue');
    expect(issue?.slice(1, 3)).toEqual([{ orderId: ORDER, holder: `network of ${ADDRESS}` }, order.email]);
    expect(named('code')).toEqual([['code', order, EMAILED_SHOP, { code: '04711729', byBuyer: false }, TRANSACTION]]);
  });

  it.each([
    ['the right token', 'sho_right', 'buyer'],
    ['a wrong token', 'sho_wrong', `network of ${ADDRESS}`],
    ['no token', undefined, `network of ${ADDRESS}`],
  ])('requests, with %s, a code of its holder', async (_what, orderToken, holder) => {
    await send(ORDER, { address: ADDRESS, orderToken });
    expect(named('issue')[0]?.[1]).toEqual({ orderId: ORDER, holder });
    expect(named('code')[0]?.[3]).toMatchObject({ byBuyer: holder === 'buyer' });
  });

  it('requests, from the page of the order, a code of its buyer', async () => {
    await send(ORDER, { ...NETWORK, isBuyer: true });
    expect(named('issue')[0]?.[1]).toEqual({ orderId: ORDER, holder: 'buyer' });
  });

  it('writes nothing when the limits of the order allow no code, and for an unknown order', async () => {
    isAllowed = false;
    await send(ORDER);
    isAllowed = true;
    await send(NOWHERE);
    expect(named('code')).toEqual([]);
  });

  it('processes a stored request in the outbox, and sets it aside after five attempts', () => {
    expect(handlers.find('nickname-code')).toBe(service);
    expect([1, 4, 5].map((attempts) => service.retryAfter(attempts))).toEqual([2 * MINUTE_MS, 16 * MINUTE_MS, null]);
  });
});
