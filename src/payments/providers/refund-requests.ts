import { CredentialsRejected } from './provider-errors.js';
import { type NewRefund, type ProviderAccount, type StartedRefund } from './provider.js';

/** The failure of a refund that the credentials of the shop are not allowed to make. */
export const NOT_PERMITTED = 'not_permitted';

/**
 * Requests a refund from a provider. One that the key lacks a permission for has failed: this is no reason to call the credentials
 * rejected, because buyers can pay with them.
 * @throws AppError as `PaymentProvider.refund`
 */
export async function requestRefund(
  send: (refund: NewRefund, account: ProviderAccount) => Promise<StartedRefund>,
  refund: NewRefund,
  account: ProviderAccount,
): Promise<StartedRefund> {
  try {
    return await send(refund, account);
  } catch (error) {
    if (!(error instanceof CredentialsRejected) || error.status !== 403) throw error;
    return { refundId: null, state: 'failed', failure: NOT_PERMITTED };
  }
}
