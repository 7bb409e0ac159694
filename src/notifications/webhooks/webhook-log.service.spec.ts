import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP, shopContext } from '../../../test/support/contexts.js';
import { type Call, directTransactions, FakeAudit, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { shopTimes } from '../../../test/support/shops.js';
import { deliveryWith, WEBHOOK, webhookWith } from '../../../test/support/webhooks.js';
import { Page } from '../../lib/paging/page.js';
import { type WebhookDelivery } from './webhook-delivery.types.js';
import { type WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { MAX_REPLAYED, WebhookLogService } from './webhook-log.service.js';
import { type WebhookQueueService } from './webhook-queue.service.js';
import { type Webhook } from './webhook.types.js';
import { type WebhooksRepository } from './webhooks.repository.js';

const CONTEXT = shopContext();
const ENDED = deliveryWith({ state: 'failed', failures: 10, nextAttemptAt: null });
const FIRST_PAGE = { after: null, limit: 50 };
const TIME = { from: new Date('2026-11-22T12:00:00.000Z'), to: new Date('2026-11-23T12:00:00.000Z') };

let calls: Call[];
let webhook: Webhook | null;
let delivery: WebhookDelivery | null;
/** How many of the deliveries had ended. */
let replayed: number;
let audit: FakeAudit;
let service: WebhookLogService;

const named = (name: string): Call[] => calls.filter(([called]) => called === name);

beforeEach(() => {
  [calls, webhook, delivery, replayed, audit] = [[], webhookWith(), ENDED, 1, new FakeAudit()];
  service = new WebhookLogService(
    recording<WebhooksRepository>(calls, { find: () => Promise.resolve(webhook) }),
    recording<WebhookDeliveriesRepository>(calls, {
      list: () => Promise.resolve(new Page([ENDED], null)),
      find: () => Promise.resolve(delivery),
      endedBetween: () => Promise.resolve(new Page([ENDED, deliveryWith()], 'the next position')),
    }),
    recording<WebhookQueueService>(calls, {
      test: () => Promise.resolve(deliveryWith()),
      requeue: () => Promise.resolve(replayed),
    }),
    shopTimes,
    audit.asService,
    directTransactions,
  );
});

it.each<[name: string, act: () => Promise<unknown>]>([
  ['the log', () => service.list(CONTEXT, WEBHOOK, {}, FIRST_PAGE)],
  ['a test', () => service.test(CONTEXT, WEBHOOK)],
  ['a replay', () => service.replay(CONTEXT, WEBHOOK, ENDED.id)],
  ['a replay of a time', () => service.replayRange(CONTEXT, WEBHOOK, TIME, null)],
])(
  'throws webhook_not_found for %s of a webhook that the shop does not have, and reads and sends nothing',
  async (_, act) => {
    webhook = null;
    await expect(act()).rejects.toMatchObject({ code: 'webhook_not_found' });
    expect(calls.map(([name, shopId, webhookId]) => [name, shopId, webhookId])).toEqual([['find', SHOP, WEBHOOK]]);
    expect(audit.entries).toEqual([]);
  },
);

it('lists the deliveries of one webhook of the shop', async () => {
  await service.list(CONTEXT, WEBHOOK, { state: 'failed' }, FIRST_PAGE);
  expect(named('list')).toEqual([['list', SHOP, WEBHOOK, { state: 'failed', hidden: [] }, FIRST_PAGE]]);
});

it('sends a test also when the webhook is off, and records it in the audit log', async () => {
  webhook = webhookWith({ isActive: false });
  await service.test(CONTEXT, WEBHOOK);
  expect(named('test')).toEqual([['test', webhook, TRANSACTION]]);
  expect(audit.entries).toEqual([{ author: CONTEXT, action: 'webhook.tested', subjectId: WEBHOOK }]);
  expect(audit.transactions).toEqual([TRANSACTION]);
});

describe('the replay of a delivery', () => {
  it('lets a replayed delivery wait from the beginning, and records the replay in the audit log', async () => {
    expect(await service.replay(CONTEXT, WEBHOOK, ENDED.id)).toEqual({ ...ENDED, state: 'waiting', failures: 0 });
    const changes = [{ field: 'deliveryId', before: null, after: ENDED.id }];
    expect(audit.entries).toEqual([{ author: CONTEXT, action: 'webhook.replayed', subjectId: WEBHOOK, changes }]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it.each<[what: string, found: () => void, code: string]>([
    [
      'of another webhook',
      () => (delivery = deliveryWith({ webhookId: SHOP, state: 'failed' })),
      'webhook_delivery_not_found',
    ],
    ['that does not exist', () => (delivery = null), 'webhook_delivery_not_found'],
    ['of a webhook that is off', () => (webhook = webhookWith({ isActive: false })), 'webhook_inactive'],
  ])('sends nothing for the replay of a delivery %s', async (_, found, code) => {
    found();
    await expect(service.replay(CONTEXT, WEBHOOK, ENDED.id)).rejects.toMatchObject({ code });
    expect([named('requeue'), audit.entries]).toEqual([[], []]);
  });

  it('rejects the replay of a delivery that still waits', async () => {
    replayed = 0;
    const replay = service.replay(CONTEXT, WEBHOOK, ENDED.id);
    await expect(replay).rejects.toMatchObject({ code: 'webhook_delivery_waiting' });
    expect(audit.entries).toEqual([]);
  });
});

describe('without the permissions for the events of a webhook', () => {
  const developer = shopContext('developer');

  it.each<[name: string, act: () => Promise<unknown>]>([
    ['the log', () => service.list(developer, WEBHOOK, {}, FIRST_PAGE)],
    ['a test', () => service.test(developer, WEBHOOK)],
    ['a replay', () => service.replay(developer, WEBHOOK, ENDED.id)],
    ['a replay of a time', () => service.replayRange(developer, WEBHOOK, TIME, null)],
  ])('throws permission_missing for %s, and reads and sends nothing', async (_, act) => {
    webhook = webhookWith({ events: ['*'] });
    await expect(act()).rejects.toMatchObject({ code: 'permission_missing' });
    expect(calls.map(([name]) => name)).toEqual(['find']);
    expect(audit.entries).toEqual([]);
  });

  it('hides the deliveries of events that the webhook received before it was narrowed', async () => {
    webhook = webhookWith({ events: ['order.paid'] });
    const hidden = expect.arrayContaining(['member.joined', 'api_key.created']) as unknown;
    await service.list(developer, WEBHOOK, {}, FIRST_PAGE);
    await service.replayRange(developer, WEBHOOK, TIME, null);
    expect(named('list')).toMatchObject([['list', SHOP, WEBHOOK, { hidden }, FIRST_PAGE]]);
    expect(named('endedBetween')[0]?.[3]).toMatchObject({ hidden });
    delivery = { ...ENDED, type: 'api_key.created' };
    const replay = service.replay(developer, WEBHOOK, ENDED.id);
    await expect(replay).rejects.toMatchObject({ code: 'webhook_delivery_not_found' });
  });
});

describe('the replay of a time', () => {
  it('sends what has ended behind a position, says where the next request continues, and records the replay in the audit log', async () => {
    replayed = 2;
    const result = await service.replayRange(CONTEXT, WEBHOOK, TIME, 'a position');
    expect(result).toEqual({ replayed: 2, next: 'the next position' });
    const page = { after: 'a position', limit: MAX_REPLAYED };
    expect(named('endedBetween')).toEqual([
      ['endedBetween', SHOP, WEBHOOK, { ...TIME, hidden: [] }, page, TRANSACTION],
    ]);
    const [[, sent, transaction] = []] = named('requeue');
    expect([sent, transaction]).toEqual([[ENDED, expect.objectContaining({ webhookId: WEBHOOK })], TRANSACTION]);
    expect(audit.entries).toEqual([
      {
        author: CONTEXT,
        action: 'webhook.replayed',
        subjectId: WEBHOOK,
        changes: [
          { field: 'from', before: null, after: TIME.from.toISOString() },
          { field: 'to', before: null, after: TIME.to.toISOString() },
          { field: 'deliveries', before: null, after: '2' },
        ],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it.each([
    ['ends when it begins', { from: TIME.from, to: TIME.from }],
    ['ends before', { from: TIME.to, to: TIME.from }],
  ])('rejects the replay of a time range that %s', async (_, time) => {
    await expect(service.replayRange(CONTEXT, WEBHOOK, time, null)).rejects.toThrow('to must be after from');
  });

  it('sends nothing when the webhook is off', async () => {
    webhook = webhookWith({ isActive: false });
    const replay = service.replayRange(CONTEXT, WEBHOOK, TIME, null);
    await expect(replay).rejects.toMatchObject({ code: 'webhook_inactive' });
    expect([named('requeue'), audit.entries]).toEqual([[], []]);
  });
});
