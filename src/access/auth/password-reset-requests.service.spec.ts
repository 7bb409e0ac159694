import { beforeEach, expect, it } from '@jest/globals';
import { type Call, directTransactions, FakeEmails, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type RateLimiter } from '../../http/throttling/rate-limiter.js';
import { type OutboxService } from '../../events/outbox/outbox.service.js';
import { PasswordResetRequestsService } from './password-reset-requests.service.js';

const EMAIL = 'robin@example.com';

let calls: Call[];
let isLimited: boolean;
let emails: FakeEmails;
let service: PasswordResetRequestsService;

beforeEach(() => {
  [calls, isLimited, emails] = [[], false, new FakeEmails()];
  service = new PasswordResetRequestsService(
    recording<OutboxService>(calls, { add: () => Promise.resolve([]) }),
    recording<RateLimiter>([], {
      consume: (name, email) =>
        isLimited && name === 'passwordResetAccount' && email === EMAIL
          ? Promise.reject(new AppError('rate_limited'))
          : Promise.resolve(),
    }),
    emails.asService,
    directTransactions,
  );
});

it('stores the request, and looks up no account, so that the time does not show whether the address has one', async () => {
  await service.forgot(EMAIL);
  const message = {
    topic: 'password-reset',
    shopId: null,
    orderId: null,
    lane: 'requests',
    stream: null,
    payload: { email: EMAIL },
  };
  expect(calls).toEqual([['add', [message], TRANSACTION]]);
});

it('counts the request before anything else', async () => {
  isLimited = true;
  await expect(service.forgot(EMAIL)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(calls).toEqual([]);
});

it('stores no request when emails are off', async () => {
  emails.areOff = true;
  await expect(service.forgot(EMAIL)).rejects.toMatchObject({ code: 'emails_off' });
  expect(calls).toEqual([]);
});
