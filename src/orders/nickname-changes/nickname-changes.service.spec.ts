import { type UpgradesService } from '../entitlements/upgrades.service.js';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { shopContext } from '../../../test/support/contexts.js';
import { EMAILED_SHOP, FakeAudit, recording, TRANSACTION, transactionsInTurns } from '../../../test/support/fakes.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type NicknameRule } from '../../domain/buyers/nickname-rule.js';
import { type Order } from '../order/order.types.js';
import { type OrdersService, type Renaming } from '../order/orders.service.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { type NicknameCodeRequestsService } from './nickname-code-requests.service.js';
import { type CodeHolder } from './nickname-code.types.js';
import { type DeliveryStatusService } from '../fulfilment/delivery-status.service.js';
import { NicknameWritesService } from './nickname-writes.service.js';
import { NicknameChangesService } from './nickname-changes.service.js';
import { type NicknameEmailsService } from './nickname-emails.service.js';
import { nicknameOf, type NicknameCodesService } from './nickname-codes.service.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const ORDER = '655f1c2ab1e4a9d3f0c81250';
const NOWHERE = '655f1c2ab1e4a9d3f0c81251';
const CODE = '04711729';
const ADDRESS = '192.0.2.7';
const OF_SHOP = { ...EMAILED_SHOP, id: SHOP, nicknameRule: { preset: 'minecraft-java', pattern: null } };
/** A request without the token of the order. */
const NETWORK = { address: ADDRESS, orderToken: undefined };
const HOLDER = { orderId: ORDER, holder: ADDRESS };
const order = {
  id: ORDER,
  shopId: SHOP,
  nickname: 'Steve_42',
  email: 'steve@example.com',
  items: [],
  paidAt: null,
} as unknown as Order;

let steps: unknown[][];
let failing: AppError | null;
/** The `oneAtATime` names of the transactions so far. */
let queues: (string | undefined)[];
let audit: FakeAudit;
let service: NicknameChangesService;

beforeEach(() => {
  [steps, queues] = [[], []];
  failing = null;
  audit = new FakeAudit();
  const orders = {
    findPublic: (id: string) => Promise.resolve(id === ORDER ? order : null),
    requireNickname: ({ nickname }: Order, rule: NicknameRule) =>
      nickname === 'unsafe' && rule.preset === 'minecraft-java'
        ? Promise.reject(new AppError('nickname_not_allowed'))
        : Promise.resolve(),
    get: (shopId: string, id: string) =>
      shopId === SHOP && id === ORDER ? Promise.resolve(order) : Promise.reject(new AppError('order_not_found')),
    rename: (...values: [Order, Renaming, Transaction]) => {
      if (failing?.code === 'nickname_locked') return Promise.reject(failing);
      return Promise.resolve(void steps.push(['rename', ...values]));
    },
  } as unknown as OrdersService;
  const codes = {
    prove: (of: CodeHolder, code: string) => {
      steps.push(['prove', of, code]);
      return code === CODE ? Promise.resolve('proof') : Promise.reject(new AppError('verification_code_invalid'));
    },
    use: (...values: [CodeHolder, string, Date, Transaction]) => {
      if (failing?.code === 'verification_code_invalid') return Promise.reject(failing);
      return Promise.resolve(void steps.push(['use', ...values]));
    },
  } as unknown as NicknameCodesService;
  const shops = { settingsOf: () => Promise.resolve(OF_SHOP) } as unknown as ShopsService;
  const requests = {
    add: (...values: unknown[]) => Promise.resolve(void steps.push(['request', ...values])),
    holderOf: (orderId: string, { address }: { address: string }) => Promise.resolve({ orderId, holder: address }),
  } as unknown as NicknameCodeRequestsService;
  const emails = recording<NicknameEmailsService>([], {
    changed: (...values) => Promise.resolve(void steps.push(['email', ...values])),
    requireCodes: () => {
      if (failing?.code === 'emails_off') throw failing;
    },
  });
  const transactions = transactionsInTurns(queues);
  const deliveryStatus = recording<DeliveryStatusService>([], {
    update: (...values) => Promise.resolve(void steps.push(['follow', ...values])),
  });
  const writes = new NicknameWritesService(
    orders,
    deliveryStatus,
    emails,
    { uppersOf: () => Promise.resolve([]) } as unknown as UpgradesService,
    audit.asService,
  );
  service = new NicknameChangesService(orders, requests, codes, shops, emails, writes, transactions);
});

it('stores a request for a code, and reads nothing of the order', async () => {
  await service.request(NOWHERE, NETWORK);
  expect(steps).toEqual([['request', NOWHERE, NETWORK]]);
});

it('stores no request when emails are off', async () => {
  failing = new AppError('emails_off');
  await expect(service.request(NOWHERE, NETWORK)).rejects.toEqual(failing);
  expect(steps).toEqual([]);
});

describe('changing a nickname', () => {
  it('uses the code, renames, records the change and writes an email, in one transaction', async () => {
    const change = await service.change(ORDER, NETWORK, CODE, 'Alex_42');
    const { changedAt } = change;
    expect(change).toEqual({ orderId: ORDER, previousNickname: 'Steve_42', nickname: 'Alex_42', changedAt });
    expect(steps).toEqual([
      ['prove', HOLDER, CODE],
      ['use', HOLDER, 'proof', changedAt, TRANSACTION],
      ['rename', order, { nickname: 'Alex_42', at: changedAt, actor: 'buyer', reason: null }, TRANSACTION],
      ['follow', { shopId: SHOP, principal: 'buyer' }, [ORDER], TRANSACTION],
      ['email', order, OF_SHOP, change, TRANSACTION],
    ]);
    expect(queues).toEqual([nicknameOf(ORDER)]);
    expect(audit.entries).toEqual([
      {
        author: { shopId: SHOP, principal: 'buyer' },
        action: 'order.nickname_changed',
        subjectId: ORDER,
        changes: [{ field: 'nickname', before: 'Steve_42', after: 'Alex_42' }],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it('uses the code and changes and publishes nothing for the nickname that the order has', async () => {
    const change = await service.change(ORDER, NETWORK, CODE, 'Steve_42');
    const { changedAt } = change;
    expect(change).toEqual({ orderId: ORDER, previousNickname: 'Steve_42', nickname: 'Steve_42', changedAt });
    expect(steps).toEqual([
      ['prove', HOLDER, CODE],
      ['use', HOLDER, 'proof', changedAt, TRANSACTION],
    ]);
    expect(audit.entries).toEqual([]);
  });

  it('uses no attempt for a nickname that the shop or the commands do not allow', async () => {
    await expect(service.change(ORDER, NETWORK, CODE, 'unsafe')).rejects.toMatchObject({
      code: 'nickname_not_allowed',
    });
    expect(steps).toEqual([]);
  });

  it('fails for an unknown order', async () => {
    await expect(service.change(NOWHERE, NETWORK, CODE, 'Alex_42')).rejects.toMatchObject({ code: 'order_not_found' });
    expect(steps).toEqual([]);
  });

  it('writes nothing and sends nothing for a wrong code', async () => {
    const change = service.change(ORDER, NETWORK, '00000000', 'Alex_42');
    await expect(change).rejects.toMatchObject({ code: 'verification_code_invalid' });
    expect([steps, audit.entries]).toEqual([[['prove', HOLDER, '00000000']], []]);
  });

  it.each(['verification_code_invalid', 'nickname_locked'] as const)(
    'records nothing and sends nothing when the transaction fails with %s',
    async (code) => {
      failing = new AppError(code);
      await expect(service.change(ORDER, NETWORK, CODE, 'Alex_42')).rejects.toBe(failing);
      expect(audit.entries).toEqual([]);
      expect(steps.map(([step]) => step)).not.toContain('email');
    },
  );
});

describe('changing a nickname for staff', () => {
  const staff = shopContext('support', { shopId: SHOP });

  it('renames, records the change with its reason and writes an email, in one transaction', async () => {
    const change = await service.changeByStaff(staff, ORDER, { newNickname: 'Alex_42', reason: 'A typing mistake' });
    const { changedAt: at } = change;
    expect(change).toEqual({ orderId: ORDER, previousNickname: 'Steve_42', nickname: 'Alex_42', changedAt: at });
    const renaming = { nickname: 'Alex_42', at, actor: staff.principal, reason: 'A typing mistake' };
    expect(steps).toEqual([
      ['rename', order, renaming, TRANSACTION],
      ['follow', { shopId: SHOP, principal: staff.principal }, [ORDER], TRANSACTION],
      ['email', order, OF_SHOP, change, TRANSACTION],
    ]);
    expect(queues).toEqual([nicknameOf(ORDER)]);
    expect(audit.entries).toEqual([
      {
        author: { shopId: SHOP, principal: staff.principal },
        action: 'order.nickname_changed',
        subjectId: ORDER,
        changes: [
          { field: 'nickname', before: 'Steve_42', after: 'Alex_42' },
          { field: 'reason', before: null, after: 'A typing mistake' },
        ],
      },
    ]);
  });

  it.each([
    ['nickname_unchanged', 'Steve_42', ORDER],
    ['nickname_not_allowed', 'unsafe', ORDER],
    ['order_not_found', 'Alex_42', NOWHERE],
  ])('fails with %s, and changes nothing', async (code, nickname, id) => {
    await expect(service.changeByStaff(staff, id, { newNickname: nickname, reason: 'Why' })).rejects.toMatchObject({
      code,
    });
    expect([steps, audit.entries]).toEqual([[], []]);
  });
});
