import {
  type PaymentProvider,
  type ProviderAccount,
  type RegisteredWebhook,
  type WebhookApi,
} from '../providers/provider.js';

/**
 * The webhook that a provider has for a shop: the one with its present address, or with an earlier one, which differs in its secret
 * only; undefined without any.
 */
export async function findWebhook(
  api: WebhookApi,
  account: ProviderAccount,
  url: string,
): Promise<RegisteredWebhook | undefined> {
  const prefix = url.slice(0, url.lastIndexOf('/') + 1);
  const own = (await api.list(account)).filter((one) => one.url.startsWith(prefix));
  return own.find((one) => one.url === url) ?? own[0];
}

/** The credential of a webhook as far as it is known. */
export interface KnownCredential {
  readonly value: string | undefined;
  /** Whether the shop has just sent it: then it belongs to a webhook that the shop registers itself. */
  readonly isGiven: boolean;
}

/**
 * Registers the webhook of a shop at its provider, or corrects the one that the provider has. A repetition changes nothing. Where
 * the provider has a webhook of this shop whose credential nobody knows, a new one replaces it.
 * @returns the credential of the webhook; null: the provider does not have it, and the shop registers it itself
 * @throws AppError provider_credentials_rejected, provider_unavailable
 */
export async function registerWebhook(
  api: WebhookApi,
  account: ProviderAccount,
  url: string,
  { value, isGiven }: KnownCredential,
): Promise<string | null> {
  const existing = await findWebhook(api, account, url);
  if (existing === undefined) return isGiven ? null : api.create(url, account);
  const credential = api.credentialOf(existing) ?? value;
  if (credential === undefined) {
    await api.remove(existing.id, account);
    return api.create(url, account);
  }
  if (existing.url !== url || !existing.isComplete) await api.update(existing.id, url, account);
  return credential;
}

/**
 * Corrects the address of the webhook that a provider has for a shop. Creates none: the shop may not want one.
 * @returns whether the provider has the webhook now
 * @throws AppError provider_credentials_rejected, provider_unavailable
 */
export async function moveWebhook(api: WebhookApi, account: ProviderAccount, url: string): Promise<boolean> {
  const existing = await findWebhook(api, account, url);
  if (existing === undefined) return false;
  if (existing.url !== url) await api.update(existing.id, url, account);
  return true;
}

/** Why a request to an address before a rotation is rejected, and what to do, in one sentence for owners. */
export function formerAddressReason({ brand, webhooks }: Pick<PaymentProvider, 'brand' | 'webhooks'>): string {
  const what = 'The request came to an earlier address of the webhook, whose grace period is over';
  return webhooks === undefined
    ? `${what}: enter the present address where ${brand} has the earlier one, or rotate the secret again to see a new address`
    : `${what}: save the settings again, so that the service corrects the address at ${brand}`;
}

/** Whether providers can reach a webhook: they accept only addresses with https. */
export function isPublicWebhook(url: string): boolean {
  return url.startsWith('https:');
}
