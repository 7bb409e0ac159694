import { beforeEach, expect, it } from '@jest/globals';
import { type Call, FakeEmails, recording, TRANSACTION, wordsOf } from '../../../test/support/fakes.js';
import { userWith } from '../../../test/support/members.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { type PageLinks } from '../../http/addresses/page-links.js';
import { HOUR_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { OutboxHandlers } from '../../events/outbox/outbox-handlers.js';
import { type OutboxItem } from '../../events/outbox/outbox.types.js';
import { type UsersService } from '../../accounts/users/users.service.js';
import { PasswordResetTokensService } from './password-reset-tokens.service.js';
import { type PasswordResetsRepository } from './password-resets.repository.js';

const USER = userWith({ id: 'robin', email: 'robin@example.com' });

let calls: Call[];
let emails: FakeEmails;
let handlers: OutboxHandlers;
let service: PasswordResetTokensService;

beforeEach(() => {
  [calls, emails, handlers] = [[], new FakeEmails(), new OutboxHandlers()];
  service = new PasswordResetTokensService(
    handlers,
    recording<UsersService>([], { findByEmail: (email) => Promise.resolve(email === USER.email ? USER : null) }),
    recording<PasswordResetsRepository>(calls, { replace: () => Promise.resolve() }),
    emails.asService,
    recording<PageLinks>([], { passwordReset: (token) => `https://shop.example.com/${token}` }),
  );
  service.onModuleInit();
});

const apply = (email: string): Promise<void> => service.apply([{ payload: { email } } as OutboxItem], TRANSACTION);

it('sends a token for 60 minutes, with the link to its page, and stores only its hash, in place of an earlier one', async () => {
  const before = Date.now();
  await apply(USER.email);
  const [email] = emails.sent;
  const token = email?.parts.flatMap((part) => ('code' in part ? [part.code] : []))[0] ?? '';
  expect(token).toMatch(/^shw_[\w-]{43}$/);
  expect(email).toMatchObject({ to: USER.email, subject: 'Reset your password', isAwaited: true });
  expect(email && wordsOf(email)).toContain(`https://shop.example.com/${token}\n`);
  expect(calls).toEqual([['replace', USER.id, sha256(token), expect.any(Date), TRANSACTION]]);
  expect(emails.transactions).toEqual([TRANSACTION]);
  const expiresAt = Number(calls[0]?.[3]);
  expect(expiresAt - HOUR_MS).toBeGreaterThanOrEqual(before);
  expect(expiresAt - HOUR_MS).toBeLessThanOrEqual(Date.now());
});

it('sends nothing to an unknown address', async () => {
  await apply('nobody@example.com');
  expect([emails.sent, calls]).toEqual([[], []]);
});

it('processes the requests of the outbox, and gives one up after five attempts', () => {
  expect(handlers.find('password-reset')).toBe(service);
  expect([1, 4, 5].map((attempts) => service.retryAfter(attempts))).toEqual([2 * MINUTE_MS, 16 * MINUTE_MS, null]);
});
