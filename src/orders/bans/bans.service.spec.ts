import { beforeEach, describe, expect, it } from '@jest/globals';
import { lockOn } from '../../domain/limits/lock-names.js';
import { SHOP, shopContext } from '../../../test/support/contexts.js';
import {
  type Call,
  FakeAudit,
  FakeQuotas,
  recording,
  TRANSACTION,
  transactionsInTurns,
} from '../../../test/support/fakes.js';
import { shopTimes } from '../../../test/support/shops.js';
import { type BuyerPseudonyms } from '../../infrastructure/buyers/buyer-pseudonyms.service.js';
import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { Page } from '../../lib/paging/page.js';
import { type Ban } from './ban.types.js';
import { type BansRepository } from './bans.repository.js';
import { BansService } from './bans.service.js';

const context = shopContext('support');
const listed = new Page<Ban>([], null);
const UNTIL = new Date('2099-01-01T00:00:00.000Z');

let calls: Call[];
let deleted: Ban | null;
let queues: (string | undefined)[];
let audit: FakeAudit;
let quotas: FakeQuotas;
let service: BansService;

beforeEach(() => {
  [calls, queues, deleted] = [[], [], null];
  audit = new FakeAudit();
  quotas = new FakeQuotas();
  const bans = recording<BansRepository>(calls, {
    deleteEnded: () => Promise.resolve(),
    countAll: () => Promise.resolve(1),
    insert: (shopId, values) => Promise.resolve({ id: 'ban', shopId, ...values }),
    list: () => Promise.resolve(listed),
    delete: () => Promise.resolve(deleted),
    findOf: () => Promise.resolve(null),
    bannedKeys: () => Promise.resolve(new Set(['nickname:griefer', 'mailbox:alex@example.com'])),
  });
  const pseudonyms = {
    allOf: (_, buyer) => [{ buyerKey: `erased ${buyer.buyerKey}`, nicknameKey: `erased ${buyer.nicknameKey}` }],
  } as Pick<BuyerPseudonyms, 'allOf'> as BuyerPseudonyms;
  service = new BansService(
    bans,
    shopTimes,
    quotas.asService,
    audit.asService,
    pseudonyms,
    transactionsInTurns(queues),
  );
});

describe('banning a buyer', () => {
  it('replaces a ban that has ended, counts the new one for the quota, and records it, in one transaction', async () => {
    const ban = await service.create(context, { nickname: 'Steve_42', reason: 'Griefing', until: UNTIL });
    const { createdAt } = ban;
    const fields = { nickname: 'Steve_42', email: null, reason: 'Griefing', until: UNTIL };
    const stored = { ...fields, key: 'nickname:steve_42', createdAt, createdBy: context.principal };
    expect(calls).toEqual([
      ['deleteEnded', SHOP, 'nickname:steve_42', createdAt, TRANSACTION],
      ['countAll', SHOP, 5, TRANSACTION],
      ['insert', SHOP, stored, TRANSACTION],
    ]);
    expect(quotas.checked).toEqual([['bansPerShop', SHOP, 1, TRANSACTION]]);
    expect(queues).toEqual([lockOn('bansPerShop', SHOP)]);
    expect(audit.entries).toEqual([
      {
        author: context,
        action: 'ban.created',
        subjectId: 'ban',
        changes: [
          { field: 'nickname', before: null, after: 'Steve_42' },
          { field: 'reason', before: null, after: 'Griefing' },
          { field: 'until', before: null, after: UNTIL.toISOString() },
        ],
      },
    ]);
  });

  it('fails without exactly one buyer, and when the quota is full', async () => {
    await expect(service.create(context, { reason: 'x' })).rejects.toMatchObject({ code: 'validation_failed' });
    quotas.isFull = true;
    const full = service.create(context, { nickname: 'Steve_42', reason: 'x' });
    await expect(full).rejects.toMatchObject({ code: 'quota_reached' });
    expect(audit.entries).toEqual([]);
  });
});

it('lists the bans of the shop', async () => {
  const page = { after: null, limit: 5 };
  expect(await service.list(context, {}, page)).toBe(listed);
  const plugin = service.list({ ...context, readsBuyers: false }, { email: 'steve@example.com' }, page);
  await expect(plugin).rejects.toMatchObject({ code: 'permission_missing' });
});

describe('ending a ban', () => {
  it('deletes a ban and records what it was', async () => {
    deleted = { id: 'ban', nickname: null, email: 'steve@example.com', reason: 'x', until: null } as Ban;
    expect(await service.delete(context, 'ban')).toBe(deleted);
    expect(audit.entries).toMatchObject([{ action: 'ban.deleted', subjectId: 'ban' }]);
  });

  it('fails for an unknown ban', async () => {
    await expect(service.delete(context, 'ban')).rejects.toMatchObject({ code: 'ban_not_found' });
    expect(audit.entries).toEqual([]);
  });
});

it('reads the bans of the player and the mailbox of a buyer in one query, also those of an erased buyer', async () => {
  const now = new Date();
  await service.banOf(SHOP, { buyerKey: 'steve@gmail.com', nicknameKey: 'steve_42' }, now, TRANSACTION);
  const keys = ['nickname:steve_42', 'mailbox:steve@gmail.com'];
  const erased = ['nickname:erased steve_42', 'mailbox:erased steve@gmail.com'];
  expect(calls).toEqual([['findOf', SHOP, [...keys, ...erased], now, TRANSACTION]]);
});

it('leaves out the buyers of whom the player or the mailbox is banned, with one read, or none for nobody', async () => {
  const now = new Date();
  const buyer = (mailbox: string, nicknameKey: string): BuyerKeys => ({
    buyerKey: `${mailbox}@example.com`,
    nicknameKey,
  });
  const [steve, griefer, alex] = [buyer('steve', 'steve_42'), buyer('other', 'griefer'), buyer('alex', 'alex_42')];
  const buyers = [steve, griefer, alex];
  expect(await service.withoutBanned(SHOP, buyers, now)).toEqual([steve]);
  const keys = buyers.flatMap(({ buyerKey, nicknameKey }) => [
    `nickname:${nicknameKey}`,
    `mailbox:${buyerKey}`,
    `nickname:erased ${nicknameKey}`,
    `mailbox:erased ${buyerKey}`,
  ]);
  expect(calls).toEqual([['bannedKeys', SHOP, keys, now]]);
  expect(await service.withoutBanned(SHOP, [], now)).toEqual([]);
  expect(calls).toHaveLength(1);
});
