import { Logger } from '@nestjs/common';
import { describeError } from '../../../infrastructure/logging/logger.js';
import { isProviderError } from '../../providers/provider-errors.js';
import {
  type Credentials,
  type PaymentProvider,
  type ProviderAccount,
  type RegisteredWebhook,
  type WebhookApi,
} from '../../providers/provider.js';

const logger = new Logger('Payments');

/** An account whose webhook providers can reach: they accept only addresses with https. */
type PublicAccount = ProviderAccount & { readonly webhookUrl: string };

/** What is known of the webhook of an account. */
export interface Registration {
  /** With that of the webhook, if the service has registered it. */
  readonly credentials: Credentials;
  /** Whether the provider has the webhook; null: not known. */
  readonly webhookRegistered: boolean | null;
  /** The id of a webhook that was registered just now; null: none was. */
  readonly createdId: string | null;
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
 * The webhooks that a provider has for a shop: those with its present address first, then those with an earlier one, which differs in
 * its secret only. Usually it is one.
 */
async function ownWebhooks(api: WebhookApi, account: PublicAccount): Promise<RegisteredWebhook[]> {
  const { webhookUrl: url } = account;
  const prefix = url.slice(0, url.lastIndexOf('/') + 1);
  const own = (await api.list(account)).filter((one) => one.url.startsWith(prefix));
  return own.toSorted((left, right) => Number(right.url === url) - Number(left.url === url));
}

/** The webhook that a provider has for a shop; null without any. */
export async function findWebhook(api: WebhookApi, account: PublicAccount): Promise<RegisteredWebhook | null> {
  return (await ownWebhooks(api, account))[0] ?? null;
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
  const none = { credentials, createdId: null };
  if (api === undefined || account.webhookUrl === null) return { ...none, webhookRegistered: null };
  if (!isPublic(account)) return { ...none, webhookRegistered: false };
  const isGiven = given[api.credential] !== undefined;
  const kept = await unlessUnavailable(createOrCorrect(api, account, isGiven));
  if (kept === undefined) return { ...none, webhookRegistered: null };
  if (kept === null) return { ...none, webhookRegistered: false };
  const { credential, createdId } = kept;
  return { credentials: { ...credentials, [api.credential]: credential }, webhookRegistered: true, createdId };
}

/** The webhook that remains, by its credential. */
interface KeptWebhook extends Pick<Registration, 'createdId'> {
  readonly credential: string;
}

/**
 * Keeps one webhook of the shop, and removes the others, which only a request that was cut off can have left. Where nobody knows the
 * credential of the one to keep, or to which of several it belongs, a new one replaces them all.
 */
async function createOrCorrect(api: WebhookApi, account: PublicAccount, isGiven: boolean): Promise<KeptWebhook | null> {
  const { webhookUrl: url, credentials } = account;
  const own = await ownWebhooks(api, account);
  const [existing, ...others] = own;
  if (existing === undefined) return isGiven ? null : create(api, account);
  const shown = api.credentialOf(existing);
  // Several with the same claim to be the one whose credential is stored.
  const isUnclear = shown === null && !isGiven && others.some((one) => (one.url === url) === (existing.url === url));
  const credential = shown ?? credentials[api.credential];
  if (credential === undefined || isUnclear) {
    await removeAll(api, own, account);
    return create(api, account);
  }
  if (existing.url !== url || !existing.isComplete) await api.update(existing.id, url, account);
  // The shop may have sent the credential of any of them.
  if (!isGiven) await removeAll(api, others, account);
  return { credential, createdId: null };
}

async function create(api: WebhookApi, account: PublicAccount): Promise<KeptWebhook> {
  const { id, credential } = await api.create(account.webhookUrl, account);
  return { credential, createdId: id };
}

async function removeAll(
  api: WebhookApi,
  webhooks: readonly RegisteredWebhook[],
  account: PublicAccount,
): Promise<void> {
  for (const { id } of webhooks) await api.remove(id, account);
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
  const remove = async (): Promise<void> => removeAll(api, await ownWebhooks(api, account), account);
  await unlessUnavailable(remove());
}

/** Removes a webhook whose credential could not be stored. */
export async function undoRegistration(
  api: WebhookApi | undefined,
  account: ProviderAccount,
  { createdId }: Registration,
): Promise<void> {
  if (api === undefined || createdId === null) return;
  await unlessUnavailable(api.remove(createdId, account));
}

/** Why a request to an address before a rotation is rejected, and what to do, in one sentence for owners. */
export function formerAddressReason({ brand, webhooks }: Pick<PaymentProvider, 'brand' | 'webhooks'>): string {
  const what = 'The request came to an earlier address of the webhook, whose grace period is over';
  return webhooks === undefined
    ? `${what}: enter the present address where ${brand} has the earlier one, or rotate the secret again to see a new address`
    : `${what}: save the settings again, so that the service corrects the address at ${brand}`;
}
