import { beforeEach, expect, it } from '@jest/globals';
import { type Call, directTransactions, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { AppError } from '../../platform/errors/app-error.js';
import { type RateLimiter } from '../../platform/throttling/rate-limiter.js';
import { type OutboxService } from '../../events/outbox/outbox.service.js';
import { PasswordResetRequestsService } from './password-reset-requests.service.js';

const EMAIL = 'robin@example.com';

let calls: Call[];
let isLimited: boolean;
let service: PasswordResetRequestsService;

beforeEach(() => {
  [calls, isLimited] = [[], false];
  service = new PasswordResetRequestsService(
    recording<OutboxService>(calls, { add: () => Promise.resolve([]) }),
    recording<RateLimiter>([], {
      consume: (name, email) =>
        isLimited && name === 'passwordResetAccount' && email === EMAIL
          ? Promise.reject(new AppError('rate_limited'))
          : Promise.resolve(),
    }),
    directTransactions,
  );
});

it('stores the request, and looks up no account, so that the time does not show whether the address has one', async () => {
  await service.forgot(EMAIL);
  const message = { topic: 'password-reset', shopId: null, lane: 'requests', stream: null, payload: { email: EMAIL } };
  expect(calls).toEqual([['add', [message], TRANSACTION]]);
});

it('counts the request before anything else', async () => {
  isLimited = true;
  await expect(service.forgot(EMAIL)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(calls).toEqual([]);
});
