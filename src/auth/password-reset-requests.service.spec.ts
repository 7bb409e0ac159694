import { beforeEach, expect, it } from '@jest/globals';
import { type Call, directTransactions, recording, TRANSACTION } from '../../test/support/fakes.js';
import { userWith } from '../../test/support/members.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { type RateLimiter } from '../common/throttling/rate-limiter.js';
import { type Email, type MailService } from '../mail/mail.service.js';
import { type UsersService } from '../users/users.service.js';
import { PasswordResetRequestsService } from './password-reset-requests.service.js';
import { type PasswordResetsRepository } from './password-resets.repository.js';

const USER = userWith({ id: 'robin', email: 'robin@example.com' });

let calls: Call[];
let sent: Email[];
let background: Promise<void>[];
let isLimited: boolean;
/** How the account of an address is found. */
let find: (email: string) => Promise<typeof USER | null>;
let service: PasswordResetRequestsService;

beforeEach(() => {
  [calls, sent, background, isLimited] = [[], [], [], false];
  find = (email) => Promise.resolve(email === USER.email ? USER : null);
  service = new PasswordResetRequestsService(
    recording<UsersService>([], { findByEmail: (email) => find(email) }),
    recording<PasswordResetsRepository>(calls, { replace: () => Promise.resolve() }),
    recording<MailService>([], {
      post: (email) => void sent.push(email),
      inBackground: (work) => void background.push(work()),
    }),
    recording<RateLimiter>([], {
      consume: (name, email) =>
        isLimited && name === 'passwordResetAccount' && email === USER.email
          ? Promise.reject(new AppError('rate_limited'))
          : Promise.resolve(),
    }),
    directTransactions,
  );
});

it('sends a token for 60 minutes and stores only its hash, in place of an earlier one', async () => {
  const before = Date.now();
  await service.forgot(USER.email);
  await Promise.all(background);
  const token = /shw_[\w-]{43}/.exec(sent[0]?.text ?? '')?.[0] ?? '';
  expect(sent[0]?.to).toBe(USER.email);
  expect(calls).toEqual([['replace', USER.id, sha256(token), expect.any(Date), TRANSACTION]]);
  const expiresAt = Number(calls[0]?.[3]);
  expect(expiresAt - 3_600_000).toBeGreaterThanOrEqual(before);
  expect(expiresAt - 3_600_000).toBeLessThanOrEqual(Date.now());
});

it('returns before the address is looked up, so that the time does not show whether it has an account', async () => {
  find = () => new Promise(() => undefined);
  await expect(service.forgot(USER.email)).resolves.toBeUndefined();
});

it('sends nothing to an unknown address', async () => {
  await service.forgot('nobody@example.com');
  await Promise.all(background);
  expect([sent, calls]).toEqual([[], []]);
});

it('counts the request before anything else', async () => {
  isLimited = true;
  await expect(service.forgot(USER.email)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(background).toEqual([]);
});
