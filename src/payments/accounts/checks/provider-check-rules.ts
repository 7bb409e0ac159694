import { formatAmount, type MinorUnits } from '../../../lib/money/money.js';
import { type PaymentProvider } from '../../providers/provider.js';
import { type ProviderStatus } from '../payment-configuration.types.js';
import { type Verification } from '../credentials/verification.js';

/** What a check is about, in the order of the report. */
export const CHECK_NAMES = ['credentials', 'mode', 'webhook', 'currency', 'minimum', 'last_event'] as const;

/** The result of one check. */
export interface ProviderCheck {
  readonly name: (typeof CHECK_NAMES)[number];
  /** null: the service cannot find it out. */
  readonly ok: boolean | null;
  /** What was found, and what to do about it, in one sentence. */
  readonly message: string;
}

/**
 * What the provider said about the credentials. `unread`: it accepts them, but one that the service reads with them (`readWith`) is
 * not stored.
 */
export type CredentialsResult = Verification['result'] | 'unread';

/** What the provider has as the webhook of the shop; `unreadable`: the service cannot decrypt the address. */
export type WebhookResult =
  'registered' | 'incomplete' | 'old_address' | 'other_credential' | 'absent' | 'not_public' | 'unknown' | 'unreadable';

/** What a check is compared with. */
export interface CheckContext extends Pick<ProviderStatus, 'configuration' | 'mode'> {
  /** The currency of the shop (ISO 4217). */
  readonly currency: string;
  /** The lowest price of what the shop sells; null: it sells nothing. */
  readonly cheapestMinor: MinorUnits | null;
  readonly isProduction: boolean;
}

type Result = Pick<ProviderCheck, 'ok' | 'message'>;

const passed = (message: string): Result => ({ ok: true, message });
const failed = (message: string): Result => ({ ok: false, message });
const unknown = (message: string): Result => ({ ok: null, message });

function credentialsResult(
  { brand, keyName }: PaymentProvider,
  result: CredentialsResult,
  { configuration: { failure, lastError } }: CheckContext,
): Result {
  if (typeof result === 'object') return failed(result.reason);
  switch (result) {
    case 'accepted':
      // No call of the check shows whether this has changed: only the next payment does.
      if (failure === 'payment_refused')
        return failed(`${brand} accepts this ${keyName}, but the last payment failed: ${lastError ?? ''}`);
      return passed(`${brand} accepts this ${keyName}`);
    case 'unread':
      return failed(`The service has not read the account from ${brand} yet: save the settings again`);
    case 'unreachable':
      return unknown(`${brand} could not be reached: check again later`);
    case 'no_api':
      return unknown(`No credentials of ${brand} are stored that the service could check`);
  }
}

function modeResult({ brand }: PaymentProvider, { mode, isProduction }: CheckContext): Result {
  switch (mode) {
    case 'live':
      return passed('The payments are real');
    case 'test':
      return { ok: !isProduction, message: 'Test mode: buyers can pay without money' };
    case null:
      return unknown(`The credentials of ${brand} do not show whether its payments are real`);
  }
}

function webhookResult({ brand, events, webhooks }: PaymentProvider, result: WebhookResult): Result {
  const save = 'save the settings again to correct it';
  switch (result) {
    case 'registered':
      return passed(`${brand} has the webhook`);
    case 'incomplete':
      return failed(`The webhook at ${brand} is switched off, or lacks events: ${save}`);
    case 'old_address':
      return failed(`${brand} has an earlier address of the webhook: ${save}`);
    case 'other_credential':
      return failed(`The webhook at ${brand} has another ${webhooks?.credential ?? 'secret'}: ${save}`);
    case 'absent':
      return failed(`${brand} does not have the webhook: save the settings again to register it`);
    case 'not_public':
      return failed(
        `${brand} cannot reach the webhook: the address of this service (PUBLIC_URL) must begin with https`,
      );
    case 'unreadable':
      return failed('The address of the webhook cannot be decrypted: rotate its secret');
    case 'unknown':
      if (events.length === 0) return passed(`${brand} needs no webhook to be registered`);
      return unknown(`The service cannot see whether ${brand} has the webhook: the first event shows it`);
  }
}

function currencyResult(provider: PaymentProvider, { currency }: CheckContext): Result {
  const ok = provider.chargeRule(currency) !== null;
  return { ok, message: `${provider.brand} ${ok ? 'can' : 'cannot'} charge ${currency}, the currency of the shop` };
}

function minimumResult(provider: PaymentProvider, { currency, cheapestMinor }: CheckContext): Result {
  const rule = provider.chargeRule(currency);
  if (rule === null) return failed(`${provider.brand} charges no amount in ${currency}`);
  const minimum = `${provider.brand} charges ${formatAmount(rule.minimumMinor, currency)} or more`;
  if (cheapestMinor === null || cheapestMinor >= rule.minimumMinor) return passed(minimum);
  return failed(`${minimum}, and the cheapest product costs ${formatAmount(cheapestMinor, currency)}`);
}

function lastEventResult({ configuration: { lastEventAt, lastRejection, rejectingSince } }: CheckContext): Result {
  if (rejectingSince !== null)
    return failed(`Every request has been rejected since ${rejectingSince.toISOString()}: ${lastRejection ?? ''}`);
  if (lastEventAt === null) return unknown('No event has arrived yet');
  return passed(`The last event arrived at ${lastEventAt.toISOString()}`);
}

/** The report about a provider. */
export function providerChecks(
  provider: PaymentProvider,
  credentials: CredentialsResult,
  webhook: WebhookResult,
  context: CheckContext,
): ProviderCheck[] {
  const results: Readonly<Record<(typeof CHECK_NAMES)[number], Result>> = {
    credentials: credentialsResult(provider, credentials, context),
    mode: modeResult(provider, context),
    webhook: webhookResult(provider, webhook),
    currency: currencyResult(provider, context),
    minimum: minimumResult(provider, context),
    last_event: lastEventResult(context),
  };
  return CHECK_NAMES.map((name) => ({ name, ...results[name] }));
}
