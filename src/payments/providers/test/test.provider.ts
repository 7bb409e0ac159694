import { hmacSha256 } from '../../../lib/crypto/keyed-hash.js';
import { standardSignature } from '../../../lib/crypto/standard-webhooks.js';
import { toMajor } from '../../../lib/money/money.js';
import { SECOND_MS } from '../../../lib/time/durations.js';
import { type PaymentEventType } from '../../../orders/order/payment-event.types.js';
import { API_PREFIX } from '../../../http/addresses/api-prefix.js';
import { asOwnCall } from '../../../http/requests/own-calls.js';
import { readSignedEvent, SIGNING_SECRET_RULE } from '../custom/custom-events.js';
import { providerUnavailable } from '../provider-errors.js';
import { isSuccess, sendToProvider } from '../provider-http.js';
import { type PaymentProvider, type ProviderAccount } from '../provider.js';
import { ANY_AMOUNT } from '../../../domain/payments/charge-rules.js';

/** Where the pages of test payments are, below the address of the service. */
export const TEST_PAYMENTS_PATH = 'test-payments';

/** What a test webhook says, without its time. */
export interface TestEvent {
  readonly type: PaymentEventType;
  readonly orderId: string;
  readonly paymentId: string;
  readonly refundId?: string;
  readonly disputeId?: string;
  /** In major units. */
  readonly amount: number;
  readonly currency: string;
}

/**
 * Sends a signed webhook to the address of an account, as a provider does.
 * @param id the same in each repetition
 * @throws AppError provider_unavailable when it was not accepted
 */
export async function sendTestWebhook(account: ProviderAccount, id: string, event: TestEvent): Promise<void> {
  const { webhookUrl, credentials } = account;
  if (webhookUrl === null)
    throw providerUnavailable('test', 'the webhook address cannot be decrypted; rotate its secret');
  const body = JSON.stringify({ ...event, occurredAt: new Date().toISOString() });
  const timestamp = String(Math.floor(Date.now() / SECOND_MS));
  const signature = standardSignature({ id, timestamp, body }, credentials['signingSecret'] ?? '');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  const { status } = await asOwnCall((own) =>
    sendToProvider({ provider: 'test', method: 'POST', url: webhookUrl, headers: { ...headers, ...own }, body }),
  );
  if (!isSuccess(status)) throw providerUnavailable('test', `status ${status}`);
}

/**
 * A provider inside the service, to try a shop without money: its page (`src/payments/test-payments`) has a button for each event, which
 * sends the signed webhook. It signs as `custom` does.
 */
export const testProvider: PaymentProvider = {
  name: 'test',
  title: 'Test payment',
  brand: 'test',
  keyName: 'signing secret',
  isForTests: true,
  credentials: [SIGNING_SECRET_RULE],
  events: [],
  // As `custom`.
  confirmationDays: 14,
  read: (request, { credentials: { signingSecret = '' } }) => [readSignedEvent(request, signingSecret)],
  chargeRule: () => ANY_AMOUNT,
  modeOf: () => 'test',
  refund: async ({ id, orderId, paymentId, amountMinor, currency }, account) => {
    const refundId = `re_${id}`;
    const amount = toMajor(amountMinor, currency);
    const event = { type: 'refund.succeeded', orderId, paymentId, refundId, amount, currency } as const;
    await sendTestWebhook(account, `${refundId}-succeeded`, event);
    return { refundId, state: 'succeeded', failure: null };
  },
  create: ({ id, expiresAt }, { credentials: { signingSecret = '' }, publicUrl }) => {
    // Whoever has the address can pay, so it must not be guessed. Made from the id, it is the same in every repetition.
    const paymentId = `test_${hmacSha256(signingSecret, [`payment.${id}`], 'base64url')}`;
    return { paymentId, url: `${publicUrl}/${API_PREFIX}/${TEST_PAYMENTS_PATH}/${paymentId}`, expiresAt };
  },
};
