import { expect, it } from '@jest/globals';
import { type Call, EMAILED_SHOP, TRANSACTION } from '../../../test/support/fakes.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { type OutboxService } from '../outbox/outbox.service.js';
import { accountEmail, shopEmail } from './email.types.js';
import { EmailsService } from './emails.service.js';
import { type MailboxLimitsService } from './mailbox-limits.service.js';

const CONTENT = { subject: 'Hello', parts: [] };

function serviceWith(mailServer: string, calls: Call[], hasRoom = true): EmailsService {
  // Of nothing, both do nothing.
  const outbox: Pick<OutboxService, 'add'> = {
    add: (messages, transaction) => {
      if (messages.length > 0) calls.push(['add', messages, transaction]);
      return Promise.resolve([]);
    },
  };
  const mailboxes: Pick<MailboxLimitsService, 'take'> = {
    take: (emails, transaction) => {
      if (emails.length > 0) calls.push(['take', emails, transaction]);
      return Promise.resolve(hasRoom ? [...emails] : []);
    },
  };
  return new EmailsService(outbox as OutboxService, mailboxes as MailboxLimitsService, { mailServer } as AppConfig);
}

it('adds emails of a shop, of accounts and those that a person waits for to different lanes', async () => {
  const calls: Call[] = [];
  const service = serviceWith('files', calls);
  const [shop, account] = [
    shopEmail('a@example.com', EMAILED_SHOP, CONTENT),
    accountEmail({ email: 'b@example.com', language: 'en' }, CONTENT),
  ];
  const code = { ...shop, isAwaited: true };
  await service.add([shop, account, code], TRANSACTION);
  const message = (shopId: string | null, lane: string, payload: object): object => ({
    ...{ topic: 'email', shopId, orderId: null, lane, stream: null, payload },
  });
  const { id } = EMAILED_SHOP;
  const messages = [message(id, `shop ${id}`, shop), message(null, 'accounts', account), message(id, 'awaited', code)];
  expect(calls).toEqual([['add', messages, TRANSACTION]]);
});

it('names the order of an email to its buyer, and that of an email to somebody else about it', async () => {
  const calls: Call[] = [];
  const service = serviceWith('files', calls);
  await service.add([shopEmail('a@example.com', EMAILED_SHOP, CONTENT, 'an order')], TRANSACTION);
  const toOwner = shopEmail('owner@example.com', EMAILED_SHOP, CONTENT);
  await service.addAll([{ email: toOwner, aboutOrderId: 'another order' }], TRANSACTION);
  const added = calls.flatMap(([, messages]) => messages as { orderId: string; payload: { orderId: string | null } }[]);
  expect(added.map(({ orderId, payload }) => [orderId, payload.orderId])).toEqual([
    ['an order', 'an order'],
    ['another order', null],
  ]);
});

it('rejects what is of no use without an email only when emails are off, and says what to do instead', () => {
  for (const mailServer of ['files', 'smtp://mail']) {
    const service = serviceWith(mailServer, []);
    expect(() => service.require('call us')).not.toThrow();
    expect(service.areOff).toBe(false);
  }
  const service = serviceWith('none', []);
  expect(() => {
    service.require('call us');
  }).toThrow('This service sends no emails; call us');
  expect(service.areOff).toBe(true);
});

it.each([
  ['sends a buyer an email that counts for the mailbox', 'files', 'a@example.com', true, ['take', 'add']],
  ['withholds an email to a mailbox that has reached its limit', 'files', 'a@example.com', false, ['take']],
  ['counts no email while emails are off', 'none', 'a@example.com', true, []],
  ['counts no email to an erased buyer', 'files', 'erased-5d1f0c3b7a9e2468ace01357@erased.invalid', true, []],
])('%s', async (_, mailServer, to, hasRoom, expected) => {
  const calls: Call[] = [];
  const email = shopEmail(to, EMAILED_SHOP, CONTENT, 'an order');
  await serviceWith(mailServer, calls, hasRoom).addToBuyer(email, 'anybody', TRANSACTION);
  expect(calls.map(([name]) => name)).toEqual(expected);
  expect(calls.filter(([name]) => name === 'take')).toEqual(
    expected.includes('take') ? [['take', [{ email, cause: 'anybody' }], TRANSACTION]] : [],
  );
});

it('drops emails to erased buyers', async () => {
  const calls: Call[] = [];
  const erased = shopEmail('erased-5d1f0c3b7a9e2468ace01357@erased.invalid', EMAILED_SHOP, CONTENT);
  await serviceWith('files', calls).add([erased], TRANSACTION);
  expect(calls).toEqual([]);
});

it('drops emails when they are off', async () => {
  const calls: Call[] = [];
  await serviceWith('none', calls).add([shopEmail('a@example.com', EMAILED_SHOP, CONTENT)], TRANSACTION);
  expect(calls).toEqual([]);
});

it('stores with an email only those fields of the shop that sending needs', () => {
  const shop = { ...EMAILED_SHOP, currency: 'EUR', domain: { token: 'secret' } };
  expect(shopEmail('a@example.com', shop, CONTENT).shop).toEqual(EMAILED_SHOP);
});
