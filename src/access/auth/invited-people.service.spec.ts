import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP, USER } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { userWith } from '../../../test/support/members.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { type Invitation } from '../team/invitation.types.js';
import { type InvitationRepliesService } from '../team/invitation-replies.service.js';
import { type UsedTokensService } from '../used-tokens/used-tokens.service.js';
import { type AuthService, type LoggedIn, type LoginAct } from './auth.service.js';
import { type ClientDevice } from './device.js';
import { type InvitationAct, InvitedPeopleService, type SentReply } from './invited-people.service.js';
import { type RegistrationService } from './registration.service.js';

const TOKEN = 'shi_token';
const FIREFOX: ClientDevice = { name: 'Firefox', address: '203.0.113.7', language: 'de' };
const PERSON = { userId: USER, principal: `user:${USER}` };

let calls: Call[];
/** What was sent with success. */
let kept: string | null;
let isPassword: boolean;
let service: InvitedPeopleService;

const acts = async (act: LoginAct<void>): Promise<LoggedIn<void>> => {
  await act(USER, TRANSACTION);
  return { user: userWith({ id: USER }), result: undefined };
};
const sent = (act: InvitationAct, content: readonly string[] = [], isProof = false): SentReply => ({
  ...{ act, content, isProof },
  password: 'right',
});

beforeEach(() => {
  [calls, kept, isPassword] = [[], null, true];
  const replied = { shopId: SHOP } as Invitation;
  service = new InvitedPeopleService(
    {
      ...recording<AuthService>(calls, { confirms: () => Promise.resolve(isPassword) }),
      loginFor: (_email: string, _password: string, _device: ClientDevice, act: LoginAct<void>) => acts(act),
      completeLoginFor: (_token: string, _code: string, _device: ClientDevice, act: LoginAct<void>) => acts(act),
    } as unknown as AuthService,
    {
      registerFor: (_account: object, _device: ClientDevice, act: LoginAct<void>) => acts(act),
    } as unknown as RegistrationService,
    recording<InvitationRepliesService>(calls, {
      acceptIn: () => Promise.resolve(replied),
      declineIn: () => Promise.resolve(replied),
    }),
    {
      keep: (token: string, content: readonly string[], use: object, transaction: unknown) => {
        expect([use, transaction]).toEqual([{ userId: USER, shopId: SHOP }, TRANSACTION]);
        kept = [token, ...content].join();
        return Promise.resolve();
      },
      find: (token: string, content: readonly string[]) =>
        Promise.resolve(kept === [token, ...content].join() ? { userId: USER, shopId: SHOP } : null),
    } as unknown as UsedTokensService,
  );
});

it.each([
  ['accept', 'acceptIn'],
  ['decline', 'declineIn'],
] as const)('%ss in the transaction of the login, and opens no session', async (act, reply) => {
  expect(await service.logIn(TOKEN, sent(act), 'sam@example.com', FIREFOX)).toBeNull();
  await service.completeLogin(TOKEN, sent(act), { token: 'shs_1', code: '123456' }, FIREFOX);
  expect(calls).toEqual([
    [reply, PERSON, TOKEN, TRANSACTION],
    [reply, PERSON, TOKEN, TRANSACTION],
  ]);
});

it('accepts in the transaction that creates the account', async () => {
  const account = { email: 'sam@example.com', name: 'Sam', password: 'right', invitationToken: TOKEN };
  await service.register(sent('register', ['Sam']), account, FIREFOX);
  expect(calls).toEqual([['acceptIn', PERSON, TOKEN, TRANSACTION]]);
});

describe('a repetition', () => {
  const shopOf = (reply: SentReply, code: ErrorCode | null, token = TOKEN): Promise<string | null> =>
    service.shopOfRepetition(token, reply, code === null ? null : new AppError(code), FIREFOX);
  const checks = (): number => calls.filter(([name]) => name === 'confirms').length;

  it.each([
    ['the invitation has ended', null, 1],
    ['another request was faster after the login', 'invitation_invalid', 0],
  ] as const)('is known when %s, with the right password', async (_, code, count) => {
    await service.logIn(TOKEN, sent('accept'), 'sam@example.com', FIREFOX);
    expect(await shopOf(sent('accept'), code)).toBe(SHOP);
    expect(checks()).toBe(count);
  });

  it.each([null, 'email_taken', 'registration_closed', 'invitation_invalid'] as const)(
    'of a registration needs the password after %s',
    async (code) => {
      kept = [TOKEN, 'register', 'Sam'].join();
      expect(await shopOf(sent('register', ['Sam']), code)).toBe(SHOP);
      expect(checks()).toBe(1);
      isPassword = false;
      expect(await shopOf(sent('register', ['Sam']), code)).toBeNull();
    },
  );

  it('of a second step needs no password: its token and code are part of the content', async () => {
    const second = sent('accept', ['shs_1', '123456'], true);
    await service.completeLogin(TOKEN, second, { token: 'shs_1', code: '123456' }, FIREFOX);
    expect(await shopOf(second, 'second_factor_token_invalid')).toBe(SHOP);
    expect(await shopOf(sent('accept', ['shs_2', '123456'], true), 'second_factor_token_invalid')).toBeNull();
    expect(checks()).toBe(0);
  });

  it('is none with another decision, another token, or an error that nobody was faster', async () => {
    await service.logIn(TOKEN, sent('accept'), 'sam@example.com', FIREFOX);
    expect(await shopOf(sent('decline'), null)).toBeNull();
    expect(await shopOf(sent('accept'), null, 'shi_other')).toBeNull();
    for (const code of ['credentials_wrong', 'rate_limited', 'already_member'] as const)
      expect(await shopOf(sent('accept'), code)).toBeNull();
    expect(checks()).toBe(0);
  });
});
