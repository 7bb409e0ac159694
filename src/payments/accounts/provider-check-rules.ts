import { formatAmount, type MinorUnits } from '../../lib/money/money.js';
import { type Credentials, type PaymentProvider } from '../providers/provider.js';
import { missingForPayments } from './credential-rules.js';
import { type PaymentConfiguration, type ProviderStatus } from './payment-configuration.types.js';
import { type FailureReport } from './provider-failure-rules.js';

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
export type CredentialsResult = 'accepted' | 'unread' | 'unreachable' | 'no_api' | FailureReport;

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

/**
 * What follows from a configuration.
 * @param provider undefined: the service does not have it, or not in production
 * @param credentials null: they cannot be decrypted
 */
export function statusOf(
  configuration: PaymentConfiguration,
  provider: PaymentProvider | undefined,
  credentials: Credentials | null,
  { currency, apiUrl }: { readonly currency: string; readonly apiUrl: string | undefined },
): ProviderStatus {
  if (provider === undefined || credentials === null)
    return { configuration, mode: null, missing: [], canStartPayments: false };
  const missing = missingForPayments(provider, credentials);
  const isUsable = configuration.enabled && configuration.failingSince === null;
  const canStartPayments = isUsable && missing.length === 0 && provider.chargeRule(currency) !== null;
  return { configuration, mode: provider.modeOf({ credentials, apiUrl }), missing, canStartPayments };
}

function credentialsResult(
  { brand, keyName }: PaymentProvider,
  result: CredentialsResult,
  { configuration: { failure, lastError } }: CheckContext,
): Result {
  if (typeof result === 'object') return { ok: false, message: result.reason };
  switch (result) {
    case 'accepted':
      // No call of the check shows whether this has changed: only the next payment does.
      if (failure === 'payment_refused')
        return {
          ok: false,
          message: `${brand} accepts this ${keyName}, but the last payment failed: ${lastError ?? ''}`,
        };
      return { ok: true, message: `${brand} accepts this ${keyName}` };
    case 'unread':
      return { ok: false, message: `The service has not read the account from ${brand} yet: save the settings again` };
    case 'unreachable':
      return { ok: null, message: `${brand} could not be reached: check again later` };
    case 'no_api':
      return { ok: null, message: `No credentials of ${brand} are stored that the service could check` };
  }
}

function modeResult({ brand }: PaymentProvider, { mode, isProduction }: CheckContext): Result {
  switch (mode) {
    case 'live':
      return { ok: true, message: 'The payments are real' };
    case 'test':
      return { ok: !isProduction, message: 'Test mode: buyers can pay without money' };
    case null:
      return { ok: null, message: `The credentials of ${brand} do not show whether its payments are real` };
  }
}

function webhookResult({ brand, events, webhooks }: PaymentProvider, result: WebhookResult): Result {
  const save = 'save the settings again to correct it';
  switch (result) {
    case 'registered':
      return { ok: true, message: `${brand} has the webhook` };
    case 'incomplete':
      return { ok: false, message: `The webhook at ${brand} is switched off, or lacks events: ${save}` };
    case 'old_address':
      return { ok: false, message: `${brand} has an earlier address of the webhook: ${save}` };
    case 'other_credential':
      return { ok: false, message: `The webhook at ${brand} has another ${webhooks?.credential ?? 'secret'}: ${save}` };
    case 'absent':
      return { ok: false, message: `${brand} does not have the webhook: save the settings again to register it` };
    case 'not_public':
      return {
        ok: false,
        message: `${brand} cannot reach the webhook: the address of this service (PUBLIC_URL) must begin with https`,
      };
    case 'unreadable':
      return { ok: false, message: 'The address of the webhook cannot be decrypted: rotate its secret' };
    case 'unknown':
      if (events.length === 0) return { ok: true, message: `${brand} needs no webhook to be registered` };
      return {
        ok: null,
        message: `The service cannot see whether ${brand} has the webhook: the first event shows it`,
      };
  }
}

function currencyResult(provider: PaymentProvider, { currency }: CheckContext): Result {
  const ok = provider.chargeRule(currency) !== null;
  return { ok, message: `${provider.brand} ${ok ? 'can' : 'cannot'} charge ${currency}, the currency of the shop` };
}

function minimumResult(provider: PaymentProvider, { currency, cheapestMinor }: CheckContext): Result {
  const rule = provider.chargeRule(currency);
  if (rule === null) return { ok: false, message: `${provider.brand} charges no amount in ${currency}` };
  const minimum = `${provider.brand} charges ${formatAmount(rule.minimumMinor, currency)} or more`;
  if (cheapestMinor === null || cheapestMinor >= rule.minimumMinor) return { ok: true, message: minimum };
  const cheapest = formatAmount(cheapestMinor, currency);
  return { ok: false, message: `${minimum}, and the cheapest product costs ${cheapest}` };
}

function lastEventResult({ configuration }: CheckContext): Result {
  const { lastEventAt, lastRejection, rejectingSince } = configuration;
  if (rejectingSince !== null)
    return {
      ok: false,
      message: `Every request has been rejected since ${rejectingSince.toISOString()}: ${lastRejection ?? ''}`,
    };
  if (lastEventAt === null) return { ok: null, message: 'No event has arrived yet' };
  return { ok: true, message: `The last event arrived at ${lastEventAt.toISOString()}` };
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
