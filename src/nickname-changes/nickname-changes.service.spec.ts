import { beforeEach, describe, expect, it } from '@jest/globals';
import { shopContext } from '../../test/support/contexts.js';
import { FakeAudit, TRANSACTION, transactionsInTurns } from '../../test/support/fakes.js';
import { AppError } from '../common/errors/app-error.js';
import { type Transaction } from '../database/transactions.js';
import { type NicknameRule } from '../common/validation/nickname-rule.js';
import { type Email, type MailService } from '../mail/mail.service.js';
import { type Order } from '../orders/order.types.js';
import { type OrdersService, type Renaming } from '../orders/orders.service.js';
import { type ShopsService } from '../shops/shops.service.js';
import { NicknameChangesService, type Requester } from './nickname-changes.service.js';
import { type CodeHolder } from './nickname-code.types.js';
import { nicknameOf, type NicknameCodesService } from './nickname-codes.service.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const ORDER = '655f1c2ab1e4a9d3f0c81250';
const NOWHERE = '655f1c2ab1e4a9d3f0c81251';
const CODE = '04711729';
const ADDRESS = '192.0.2.7';
/** A request without the token of the order. */
const NETWORK = { address: ADDRESS, orderToken: undefined };
const HOLDER = { orderId: ORDER, holder: ADDRESS };
const order = {
  id: ORDER,
  shopId: SHOP,
  nickname: 'Steve_42',
  email: 'steve@example.com',
} as unknown as Order;

let issued: string | null;
let background: Promise<void>[];
let emails: Email[];
let steps: unknown[][];
let failing: AppError | null;
/** What each transaction takes turns for. */
let queues: (string | undefined)[];
let audit: FakeAudit;
let service: NicknameChangesService;

beforeEach(() => {
  issued = CODE;
  [background, emails, steps, queues] = [[], [], [], []];
  failing = null;
  audit = new FakeAudit();
  const orders = {
    findPublic: (id: string) => Promise.resolve(id === ORDER ? order : null),
    findByToken: (id: string, token: string) =>
      typeof token === 'string'
        ? Promise.resolve(id === ORDER && token === 'sho_right' ? order : null)
        : Promise.reject(new Error('no token')),
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
    buyer: (orderId: string) => ({ orderId, holder: 'buyer' }),
    network: (orderId: string, address: string) => ({ orderId, holder: address }),
    issue: (...values: [CodeHolder, string]) => {
      steps.push(['issue', ...values]);
      return Promise.resolve(issued);
    },
    prove: (of: CodeHolder, code: string) => {
      steps.push(['prove', of, code]);
      return code === CODE ? Promise.resolve('proof') : Promise.reject(new AppError('verification_code_invalid'));
    },
    use: (...values: [CodeHolder, string, Date, Transaction]) => {
      if (failing?.code === 'verification_code_invalid') return Promise.reject(failing);
      return Promise.resolve(void steps.push(['use', ...values]));
    },
  } as unknown as NicknameCodesService;
  const shops = {
    settingsOf: (id: string) =>
      Promise.resolve({ id, displayName: 'Sky Realm', nicknameRule: { preset: 'minecraft-java', pattern: null } }),
  } as unknown as ShopsService;
  const mail = {
    inBackground: (work: () => Promise<void>) => void background.push(work()),
    post: (email: Email) => void emails.push(email),
  } as unknown as MailService;
  service = new NicknameChangesService(orders, codes, shops, mail, audit.asService, transactionsInTurns(queues));
});

describe('requesting a code', () => {
  const request = async (id: string, requester: Requester = NETWORK): Promise<void> => {
    service.request(id, requester);
    await Promise.all(background);
  };

  it('sends the code to the email address of the order, and nowhere else', async () => {
    await request(ORDER);
    expect(emails).toEqual([
      {
        to: 'steve@example.com',
        subject: 'Your code to change the nickname',
        text:
          `Your code to change the nickname of order ${ORDER}:\n\n${CODE}\n\nThe code is valid for 10 minutes and works ` +
          'once. If you did not request it, ignore this email: the nickname stays as it is.\n',
      },
    ]);
  });

  it.each([
    ['the right token', 'sho_right', 'buyer'],
    ['a wrong token', 'sho_wrong', ADDRESS],
    ['no token', undefined, ADDRESS],
  ])('with %s asks for a code of its holder', async (_what, orderToken, holder) => {
    await request(ORDER, { address: ADDRESS, orderToken });
    expect(steps).toEqual([['issue', { orderId: ORDER, holder }, 'steve@example.com']]);
  });

  it('sends nothing when the limits of the order allow no code', async () => {
    issued = null;
    await request(ORDER);
    expect(emails).toEqual([]);
  });

  it('sends nothing for an unknown order', async () => {
    await request(NOWHERE);
    expect(emails).toEqual([]);
  });
});

describe('changing a nickname', () => {
  it('uses the code, renames and records the change in one transaction, then sends an email to the address of the order', async () => {
    const change = await service.change(ORDER, NETWORK, CODE, 'Alex_42');
    const { changedAt } = change;
    expect(change).toEqual({ orderId: ORDER, previousNickname: 'Steve_42', nickname: 'Alex_42', changedAt });
    expect(steps).toEqual([
      ['prove', HOLDER, CODE],
      ['use', HOLDER, 'proof', changedAt, TRANSACTION],
      ['rename', order, { nickname: 'Alex_42', at: changedAt, actor: 'buyer', reason: null }, TRANSACTION],
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
    expect(emails).toEqual([
      {
        to: 'steve@example.com',
        subject: 'The nickname of your order was changed',
        text: `The nickname of order ${ORDER} was changed from Steve_42 to Alex_42.\n\nIf you did not make this change, contact Sky Realm.\n`,
      },
    ]);
  });

  it('compares the code with that of the buyer when the request has the token of the order', async () => {
    await service.change(ORDER, { address: ADDRESS, orderToken: 'sho_right' }, CODE, 'Alex_42');
    expect(steps.slice(0, 2)).toEqual([
      ['prove', { orderId: ORDER, holder: 'buyer' }, CODE],
      ['use', { orderId: ORDER, holder: 'buyer' }, 'proof', expect.any(Date), TRANSACTION],
    ]);
  });

  it('does not use up a try for a nickname that the shop or the commands do not allow', async () => {
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
    expect([steps, audit.entries, emails]).toEqual([[['prove', HOLDER, '00000000']], [], []]);
  });

  it.each(['verification_code_invalid', 'nickname_locked'] as const)(
    'records nothing and sends nothing when the transaction fails with %s',
    async (code) => {
      failing = new AppError(code);
      await expect(service.change(ORDER, NETWORK, CODE, 'Alex_42')).rejects.toBe(failing);
      expect([audit.entries, emails]).toEqual([[], []]);
    },
  );
});

describe('changing a nickname for staff', () => {
  const staff = shopContext('support', { shopId: SHOP });

  it('renames and records the change with its reason in one transaction, then sends an email to the address of the order', async () => {
    const change = await service.changeByStaff(staff, ORDER, 'Alex_42', 'A typing mistake');
    const { changedAt: at } = change;
    expect(change).toEqual({ orderId: ORDER, previousNickname: 'Steve_42', nickname: 'Alex_42', changedAt: at });
    const renaming = { nickname: 'Alex_42', at, actor: staff.principal, reason: 'A typing mistake' };
    expect(steps).toEqual([['rename', order, renaming, TRANSACTION]]);
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
    expect(emails).toMatchObject([{ to: 'steve@example.com', subject: 'The nickname of your order was changed' }]);
  });

  it.each([
    ['nickname_unchanged', 'Steve_42', ORDER],
    ['nickname_not_allowed', 'unsafe', ORDER],
    ['order_not_found', 'Alex_42', NOWHERE],
  ])('fails with %s, and changes nothing', async (code, nickname, id) => {
    await expect(service.changeByStaff(staff, id, nickname, 'Why')).rejects.toMatchObject({ code });
    expect([steps, audit.entries, emails]).toEqual([[], [], []]);
  });
});
