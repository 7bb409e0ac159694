import { hmacSha256 } from '../../common/crypto/keyed-hash.js';
import { API_PREFIX } from '../../common/http/api-prefix.js';
import { readSignedEvent, SIGNING_SECRET_RULE } from './custom-events.js';
import { type PaymentProvider } from './provider.js';

/** Where the pages of test payments are, below the address of the service. */
export const TEST_PAYMENTS_PATH = 'test-payments';

/**
 * A provider inside the service, to try a shop without money: its page (`src/test-payments`) has a button for each event, which
 * sends the signed webhook. It signs as `custom` does.
 */
export const testProvider: PaymentProvider = {
  name: 'test',
  title: 'Test payment',
  isForTests: true,
  credentials: [SIGNING_SECRET_RULE],
  read: (request, { credentials: { signingSecret = '' } }) => [readSignedEvent(request, signingSecret)],
  canCreate: () => true,
  create: ({ id, expiresAt }, { credentials: { signingSecret = '' }, publicUrl }) => {
    // Whoever has the address can pay, so it must not be guessed. Made from the id, it is the same in every repetition.
    const paymentId = `test_${hmacSha256(signingSecret, [`payment.${id}`], 'base64url')}`;
    return { paymentId, url: `${publicUrl}/${API_PREFIX}/${TEST_PAYMENTS_PATH}/${paymentId}`, expiresAt };
  },
};
