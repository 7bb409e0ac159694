import { Logger } from '@nestjs/common';
import { describeError } from '../../infrastructure/logging/logger.js';
import { isProviderError } from '../providers/provider-errors.js';
import {
  type Credentials,
  type PaymentProvider,
  type ProviderAccount,
  type RegisteredWebhook,
  type WebhookApi,
} from '../providers/provider.js';

const logger = new Logger('Payments');

/** An account whose webhook providers can reach: they accept only addresses with https. */
type PublicAccount = ProviderAccount & { readonly webhookUrl: string };

/** What is known of the webhook of an account. */
export interface Registration {
  /** With that of the webhook, if the service has registered it. */
  readonly credentials: Credentials;
  /** Whether the provider has the webhook; null: not known. */
  readonly webhookRegistered: boolean | null;
}

/** The result of a call; undefined when the provider could not be used, which is logged. @throws any other error */
export async function unlessUnavailable<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (!isProviderError(error)) throw error;
    logger.warn('A payment provider could not be used', describeError(error));
    return undefined;
  }
}

export function isPublic(account: ProviderAccount): account is PublicAccount {
  return account.webhookUrl?.startsWith('https:') === true;
}

/**
 * The webhook that a provider has for a shop: the one with its present address, or with an earlier one, which differs in its secret
 * only; null without any.
 */
export async function findWebhook(api: WebhookApi, account: PublicAccount): Promise<RegisteredWebhook | null> {
  const { webhookUrl: url } = account;
  const prefix = url.slice(0, url.lastIndexOf('/') + 1);
  const own = (await api.list(account)).filter((one) => one.url.startsWith(prefix));
  return own.find((one) => one.url === url) ?? own[0] ?? null;
}

/**
 * Registers the webhook of a shop at its provider, or corrects the one that the provider has. A repetition changes nothing. A webhook
 * that cannot be registered is no error: the shop can register it itself.
 * @param given the credentials that the shop has just sent: with that of the webhook among them, the shop registers a new one itself
 */
export async function registerWebhook(
  api: WebhookApi | undefined,
  account: ProviderAccount,
  given: Readonly<Record<string, unknown>>,
): Promise<Registration> {
  const { credentials } = account;
  if (api === undefined || account.webhookUrl === null) return { credentials, webhookRegistered: null };
  if (!isPublic(account)) return { credentials, webhookRegistered: false };
  const isGiven = given[api.credential] !== undefined;
  const credential = await unlessUnavailable(createOrCorrect(api, account, isGiven));
  if (credential === undefined) return { credentials, webhookRegistered: null };
  return credential === null
    ? { credentials, webhookRegistered: false }
    : { credentials: { ...credentials, [api.credential]: credential }, webhookRegistered: true };
}

/** Where the provider has a webhook of this shop whose credential nobody knows, a new one replaces it. */
async function createOrCorrect(api: WebhookApi, account: PublicAccount, isGiven: boolean): Promise<string | null> {
  const { webhookUrl: url, credentials } = account;
  const existing = await findWebhook(api, account);
  if (existing === null) return isGiven ? null : api.create(url, account);
  const credential = api.credentialOf(existing) ?? credentials[api.credential];
  if (credential === undefined) {
    await api.remove(existing.id, account);
    return api.create(url, account);
  }
  if (existing.url !== url || !existing.isComplete) await api.update(existing.id, url, account);
  return credential;
}

/**
 * Corrects the address of the webhook that a provider has for a shop, as far as the provider lets the service do it. Creates none: the
 * shop may not want one.
 * @returns whether the provider has the webhook now; null: not known
 */
export async function moveWebhook(api: WebhookApi | undefined, account: ProviderAccount): Promise<boolean | null> {
  if (api === undefined || !isPublic(account)) return null;
  const { webhookUrl: url } = account;
  const move = async (): Promise<boolean> => {
    const existing = await findWebhook(api, account);
    if (existing !== null && existing.url !== url) await api.update(existing.id, url, account);
    return existing !== null;
  };
  return (await unlessUnavailable(move())) ?? null;
}

/** Removes the webhook of a shop from its provider, as far as the provider lets the service do it. */
export async function removeWebhook(api: WebhookApi | undefined, account: ProviderAccount): Promise<void> {
  if (api === undefined || !isPublic(account)) return;
  const remove = async (): Promise<void> => {
    const existing = await findWebhook(api, account);
    if (existing !== null) await api.remove(existing.id, account);
  };
  await unlessUnavailable(remove());
}

/** Why a request to an address before a rotation is rejected, and what to do, in one sentence for owners. */
export function formerAddressReason({ brand, webhooks }: Pick<PaymentProvider, 'brand' | 'webhooks'>): string {
  const what = 'The request came to an earlier address of the webhook, whose grace period is over';
  return webhooks === undefined
    ? `${what}: enter the present address where ${brand} has the earlier one, or rotate the secret again to see a new address`
    : `${what}: save the settings again, so that the service corrects the address at ${brand}`;
}
