import { expect, it } from '@jest/globals';
import { accountWith } from '../../../test/support/provider-accounts.js';
import { CredentialsRejected, providerUnavailable } from './provider-errors.js';
import { requestRefund } from './refund-requests.js';

const REFUND = {
  ...{ id: 'a'.repeat(24), orderId: '655f1c2ab1e4a9d3f0c81250', paymentId: 'pi_1', amountMinor: 500, currency: 'EUR' },
};
const request = (error: Error): Promise<unknown> => requestRefund(() => Promise.reject(error), REFUND, accountWith({}));

it('returns the refund that the provider made', async () => {
  const made = { refundId: 're_1', state: 'succeeded', failure: null } as const;
  expect(await requestRefund(() => Promise.resolve(made), REFUND, accountWith({}))).toBe(made);
});

it('returns a failed refund for a key without the permission', async () => {
  const failed = { refundId: null, state: 'failed', failure: 'not_permitted' };
  expect(await request(new CredentialsRejected('stripe', 403))).toEqual(failed);
});

it.each([new CredentialsRejected('stripe', 401), providerUnavailable('stripe', 'status 503')])(
  'throws %s, after which the same refund is possible later',
  async (error) => {
    await expect(request(error)).rejects.toBe(error);
  },
);
