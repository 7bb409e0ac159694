import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, FakeAudit, FakeOwnerEmails, recording, TRANSACTION, wordsOf } from '../../../test/support/fakes.js';
import { WEBHOOK, webhookWith } from '../../../test/support/webhooks.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { type WebhookDeliveryState } from './webhook-delivery.types.js';
import { type WebhookFormat } from './webhook.types.js';
import { WebhookHealthService } from './webhook-health.service.js';
import { type WebhooksRepository } from './webhooks.repository.js';

const NOW = new Date('2026-11-23T12:00:00.000Z');
const FIVE_DAYS_MS = 5 * DAY_MS;

let calls: Call[];
let isOn: boolean;
let audit: FakeAudit;
let emails: FakeOwnerEmails;
let service: WebhookHealthService;

beforeEach(() => {
  [calls, isOn, audit, emails] = [[], true, new FakeAudit(), new FakeOwnerEmails()];
  const webhooks = recording<WebhooksRepository>(calls, {
    update: () => Promise.resolve(webhookWith()),
    disable: () => Promise.resolve(isOn),
  });
  service = new WebhookHealthService(webhooks, audit.asService, emails.asService);
});

/** Records an attempt of a delivery, which then has this state, of a webhook that has failed for some time. */
function recordAttempt(
  state: WebhookDeliveryState,
  failsForMs: number | null,
  status: number | null = 500,
  format: WebhookFormat = 'standard',
): Promise<void> {
  const failingSince = failsForMs === null ? null : new Date(NOW.getTime() - failsForMs);
  const webhook = webhookWith({ failingSince, format, description: 'Accounting' });
  const entry = { at: NOW, status, error: null, durationMs: 1, response: null };
  return service.recordAttempt(webhook, entry, { state, failures: 1, nextAttemptAt: null }, TRANSACTION);
}
const DISABLED: Call = ['disable', SHOP, WEBHOOK, NOW, TRANSACTION];
const named = (name: string): Call[] => calls.filter(([called]) => called === name);
const failingSince = (since: Date | null): Call => ['update', SHOP, WEBHOOK, { failingSince: since }, TRANSACTION];

describe('a webhook', () => {
  it('records the first failure of a webhook, and no later one', async () => {
    await recordAttempt('waiting', null);
    await recordAttempt('waiting', DAY_MS);
    expect(calls).toEqual([failingSince(NOW)]);
  });

  it('fails no more when a delivery was taken', async () => {
    await recordAttempt('delivered', DAY_MS, 200);
    expect(calls).toEqual([failingSince(null)]);
  });

  it('writes nothing when a delivery to a healthy webhook succeeds', async () => {
    await recordAttempt('delivered', null, 200);
    expect(calls).toEqual([]);
  });

  const disabled = (): number[] => [named('disable').length, audit.entries.length, emails.sent.length];

  it.each([
    ['the last attempt of a delivery failed after five days', FIVE_DAYS_MS, 500, 'standard'],
    ['it failed then without a response', FIVE_DAYS_MS, null, 'standard'],
    ['the receiver says that it is gone', null, 410, 'standard'],
    ['Discord says that it was deleted', null, 404, 'discord'],
  ] as const)('switches the webhook off when %s', async (_, failsForMs, status, format) => {
    await recordAttempt('failed', failsForMs, status, format);
    expect(named('disable')).toEqual([DISABLED]);
    expect(disabled()).toEqual([1, 1, 1]);
  });

  it.each([
    ['its last failure is a millisecond before the end of the five days', 'failed', FIVE_DAYS_MS - 1, 500],
    ['the delivery is retried', 'waiting', 2 * FIVE_DAYS_MS, 500],
    ['a delivery was taken', 'delivered', 2 * FIVE_DAYS_MS, 200],
    ['the receiver says that it was not found', 'failed', null, 404],
  ] as const)('leaves the webhook on when %s', async (_, state, failsForMs, status) => {
    await recordAttempt(state, failsForMs, status);
    expect(disabled()).toEqual([0, 0, 0]);
  });
});

describe('switching off', () => {
  it('records the switching off in the audit log, and sends the owners an email that names the webhook, but not its URL', async () => {
    await recordAttempt('failed', FIVE_DAYS_MS);
    expect(audit.entries).toEqual([
      {
        author: { shopId: SHOP, principal: 'system' },
        action: 'webhook.disabled',
        subjectId: WEBHOOK,
        changes: [{ field: 'isActive', before: 'true', after: 'false' }],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
    const [{ shopId, email } = { shopId: '', email: { subject: '', parts: [] } }] = emails.sent;
    expect(shopId).toBe(SHOP);
    expect(wordsOf(email)).toContain('"Accounting"');
    expect(wordsOf(email)).not.toContain('example.com');
  });

  it('writes nothing and sends no email when the webhook is off already', async () => {
    isOn = false;
    await recordAttempt('failed', FIVE_DAYS_MS);
    expect(calls).toEqual([DISABLED]);
    expect([audit.entries, emails.sent]).toEqual([[], []]);
  });
});
