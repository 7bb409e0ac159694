import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, recording } from '../../../test/support/fakes.js';
import {
  openedBy,
  pageLinks,
  pageRenderer,
  pageSessions,
  shownBy,
  textOf,
  visitWith,
} from '../../../test/support/pages.js';
import { shopWith } from '../../../test/support/shops.js';
import { type SecondFactorRequired } from '../../access/auth/auth.service.js';
import { type InvitedPeopleService } from '../../access/auth/invited-people.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { type Invitation } from '../../access/team/invitation.types.js';
import { type InvitationRepliesService } from '../../access/team/invitation-replies.service.js';
import { MAX_USER_NAME_LENGTH } from '../../accounts/users/user.types.js';
import { InvitationPagesService } from './invitation-pages.service.js';
import { type PageResponse } from './page-response.js';
import { type Visit } from './visit.js';

const TOKEN = 'shi_token';
const PLACE = 'pages/invitations';
const PASSWORD = 'correct horse battery';
const VISIT = visitWith(TOKEN);
const INVITED: Invitation = {
  ...{ id: 'i', shopId: SHOP, email: 'sam@example.com', role: 'support', invitedBy: 'user:1' },
  ...{ inviterId: '1', inviterKeyId: null, expiresAt: new Date('2026-11-28T23:30:00.000Z') },
};
const STEP: SecondFactorRequired = { token: 'shs_step', expiresAt: new Date() };

let calls: Call[];
let login: () => Promise<SecondFactorRequired | null>;
let register: () => Promise<void>;
/** The shop of the invitation of which this is the second click. */
let repeated: string | null;
let pages: InvitationPagesService;

const failing = (code: ErrorCode) => (): Promise<never> => Promise.reject(new AppError(code));
/** The calls that change something. */
const writes = (): Call[] => calls.filter(([name]) => !['find', 'settingsOf', 'shopOfRepetition'].includes(name));
const sent = (act: string, content: readonly string[] = ['', '', ''], isProof = false) => ({
  ...{ act, isProof, content },
  password: isProof ? '' : PASSWORD,
});

beforeEach(() => {
  calls = [];
  login = () => Promise.resolve(null);
  register = () => Promise.resolve();
  repeated = null;
  pages = new InvitationPagesService(
    recording<InvitationRepliesService>(calls, {
      find: (token) => Promise.resolve(token === TOKEN ? INVITED : null),
    }),
    recording<ShopsService>(calls, {
      settingsOf: (id) => Promise.resolve(shopWith({ id, displayName: 'Sky <Realm>' })),
    }),
    recording<InvitedPeopleService>(calls, {
      logIn: () => login(),
      completeLogin: async () => {
        await login();
      },
      register: () => register(),
      shopOfRepetition: () => Promise.resolve(repeated),
    }),
    pageLinks,
    pageSessions,
    pageRenderer,
  );
});

describe('open', () => {
  it('keeps the token of an open invitation in a cookie, and leads to an address without it', async () => {
    const opened = await pages.open(TOKEN);
    expect(opened.location).toBe('/api/v2/pages/invitations');
    expect(openedBy(opened, PLACE)).toBe(TOKEN);
  });

  it('opens nothing with another token', async () => {
    await expect(pages.open('shi_other')).rejects.toMatchObject({ code: 'page_not_found' });
  });

  it.each(['accept', 'decline', 'register'])('leads back to the page from the path of the form %s', async (end) => {
    expect(await pages.open(end)).toEqual({ location: '/api/v2/pages/invitations' });
  });
});

describe('show', () => {
  it('shows the shop, the invited address, the role, and the end in the time zone of the shop', async () => {
    const { status, html } = await pages.show(VISIT);
    expect(status).toBe(200);
    expect(textOf(html, 'role')).toBe('Support');
    for (const fragment of ['Sky &lt;Realm&gt;', INVITED.email, '29 November 2026', '00:30', 'value="form token"']) {
      expect(html).toContain(fragment);
    }
    expect(html).not.toContain(TOKEN);
  });

  it('shows nothing when the invitation has ended', async () => {
    await expect(pages.show(visitWith('shi_ended'))).rejects.toMatchObject({ code: 'page_not_found' });
  });
});

describe('reply', () => {
  it.each([
    ['accept', 'You are now in the team of Sky'],
    ['decline', 'You have declined'],
  ] as const)('logs the invited address in, %ss as this person, and ends the cookie', async (decision, text) => {
    const form = { password: PASSWORD, email: 'else@example.com' };
    const page = shownBy(await pages.reply(VISIT, decision, form));
    expect(writes()).toEqual([['logIn', TOKEN, sent(decision), INVITED.email, VISIT.device]]);
    expect(page.html).toContain(text);
    expect(page.ended).toMatchObject({ name: 'page', value: '', path: '/api/v2/pages/invitations' });
  });

  it.each([
    ['invitation_invalid', 400, /^This invitation cannot be used any more/],
    ['already_member', 409, /^You are already in the team/],
    ['quota_reached', 409, /^You have reached the limit of shops that one person can own/],
  ] as const)('says what %s means, and does not end the cookie', async (code, status, text) => {
    login = failing(code);
    const page = shownBy(await pages.reply(VISIT, 'accept', { password: PASSWORD }));
    expect([page.status, page.ended]).toEqual([status, undefined]);
    expect(textOf(page.html, 'alert')).toMatch(text);
  });

  it('requires the second factor before it replies', async () => {
    login = () => Promise.resolve(STEP);
    const { status, html, ended } = shownBy(await pages.reply(VISIT, 'accept', { password: PASSWORD }));
    expect([status, ended]).toEqual([200, undefined]);
    expect(html).toContain('name="token" value="shs_step"');
    expect(writes().map(([name]) => name)).toEqual(['logIn']);
  });

  it('takes the second step with its token and the code, and then replies', async () => {
    await pages.reply(VISIT, 'decline', { token: STEP.token, code: '123456' });
    const step = { token: STEP.token, code: '123456' };
    expect(writes()).toEqual([
      ['completeLogin', TOKEN, sent('decline', ['', step.token, step.code], true), step, VISIT.device],
    ]);
  });

  it('stays in the second step of a login after a wrong code, and begins again when its time is over', async () => {
    const again = async (code: ErrorCode): Promise<string> => {
      login = failing(code);
      const form = { token: STEP.token, code: '000000' };
      return shownBy(await pages.reply(VISIT, 'accept', form)).html;
    };
    expect(await again('second_factor_code_invalid')).toContain('name="token" value="shs_step"');
    expect(await again('second_factor_token_invalid')).toContain('id="password"');
    expect(writes().map(([name]) => name)).toEqual(['completeLogin', 'completeLogin']);
  });

  it.each([
    ['credentials_wrong', 401, /^The password is wrong/],
    ['rate_limited', 429, /^There were too many attempts/],
  ] as const)('says what to do about %s, and replies nothing', async (code, status, text) => {
    login = failing(code);
    const page = shownBy(await pages.reply(VISIT, 'accept', { password: PASSWORD }));
    expect([page.status, page.error?.code]).toEqual([status, code]);
    expect(textOf(page.html, 'alert')).toMatch(text);
    expect(writes().map(([name]) => name)).toEqual(['logIn']);
  });

  it('passes on an error that is not about what the person did', async () => {
    login = () => Promise.reject(new Error('the database is down'));
    await expect(pages.reply(VISIT, 'accept', { password: PASSWORD })).rejects.toThrow('the database is down');
  });

  it('changes nothing for an invitation that has ended', async () => {
    const reply = pages.reply(visitWith('shi_ended'), 'accept', { password: PASSWORD });
    await expect(reply).rejects.toMatchObject({ code: 'page_not_found' });
    expect(writes()).toEqual([]);
  });
});

describe('a second click', () => {
  const CLICKS: readonly [what: string, click: (visit: Visit) => Promise<PageResponse>][] = [
    ['Accept', (visit) => pages.reply(visit, 'accept', { password: PASSWORD })],
    ['Create account', (visit) => pages.register(visit, { name: 'Sam', password: PASSWORD })],
  ];

  it.each(CLICKS)('on %s gets the page of the first, when that has ended the invitation', async (_, click) => {
    repeated = SHOP;
    const { status, html, ended } = shownBy(await click(visitWith('shi_ended')));
    expect([status, ended === undefined]).toEqual([200, false]);
    expect(html).toContain('You are now in the team of Sky');
    expect(writes()).toEqual([]);
  });

  it.each(CLICKS)('on %s gets the page of the first, when that was faster', async (_, click) => {
    repeated = SHOP;
    login = register = failing('invitation_invalid');
    expect(shownBy(await click(VISIT)).html).toContain('You are now in the team of Sky');
    expect(calls.at(-2)).toEqual([
      'shopOfRepetition',
      TOKEN,
      expect.objectContaining({ password: PASSWORD }),
      expect.objectContaining({ code: 'invitation_invalid' }),
      VISIT.device,
    ]);
  });

  it('takes only a token that is a string as that of a second step', async () => {
    for (const token of ['', ['shs_step'], undefined]) {
      await pages.reply(VISIT, 'accept', { token, password: PASSWORD });
      expect(writes().at(-1)).toEqual(['logIn', TOKEN, sent('accept'), INVITED.email, VISIT.device]);
    }
  });
});

describe('register', () => {
  it('creates an account with the invited address, and accepts', async () => {
    const form = { name: 'Sam', password: PASSWORD, email: 'else@example.com' };
    expect(shownBy(await pages.register(VISIT, form)).html).toContain('You are now in the team of Sky');
    expect(writes()).toEqual([
      [
        'register',
        sent('register', ['Sam', '', '']),
        { email: INVITED.email, name: 'Sam', password: PASSWORD, invitationToken: TOKEN },
        VISIT.device,
      ],
    ]);
  });

  it('takes a name as long as the API does, and shows a longer one again without the rest', async () => {
    const longest = 'n'.repeat(MAX_USER_NAME_LENGTH);
    const { status, html } = shownBy(await pages.register(VISIT, { name: `${longest}n`, password: PASSWORD }));
    expect(status).toBe(400);
    expect(html).toContain(`maxlength="${MAX_USER_NAME_LENGTH}" autocomplete="name" value="${longest}"`);
    expect(textOf(html, 'alert')).toContain(`a name at most ${MAX_USER_NAME_LENGTH}`);
    expect(html).not.toContain(PASSWORD);
    expect(writes()).toEqual([]);
    await pages.register(VISIT, { name: longest, password: PASSWORD });
    expect(writes()).toHaveLength(1);
  });

  it('says that the address has an account already', async () => {
    register = failing('email_taken');
    const { status, html } = shownBy(await pages.register(VISIT, { name: 'Sam', password: PASSWORD }));
    expect([status, textOf(html, 'alert')]).toEqual([
      409,
      'There is already an account with this address. Log in with it.',
    ]);
    expect(html).toContain('value="Sam"');
    expect(writes().map(([name]) => name)).toEqual(['register']);
  });
});
