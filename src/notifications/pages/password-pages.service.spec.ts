import { beforeEach, describe, expect, it } from '@jest/globals';
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
import { type AuthService } from '../../access/auth/auth.service.js';
import { type PasswordReset, type PasswordResetsService } from '../../access/auth/password-resets.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { PASSWORD_PAGE_COPY } from './password-page-copy.js';
import { PasswordPagesService } from './password-pages.service.js';

const TOKEN = 'shw_token';
const PLACE = 'pages/password-resets';
const PASSWORD = 'a better horse battery';
const VISIT = visitWith(TOKEN);

let calls: Call[];
let reset: () => Promise<PasswordReset>;
/** Who set a password with the token just now, and whether the password is the same. */
let lastUse: string | null;
let confirms: boolean;
let isFirst: boolean;
let pages: PasswordPagesService;

const resets = (): Call[] => calls.filter(([name]) => name === 'reset');

beforeEach(() => {
  calls = [];
  reset = () => Promise.resolve({} as PasswordReset);
  [lastUse, confirms, isFirst] = [null, true, false];
  const passwords = recording<PasswordResetsService>(calls, {
    find: (token) => Promise.resolve(token === TOKEN ? { email: 'robin@example.com', isFirst } : null),
    reset: () => reset(),
    lastUse: () => Promise.resolve(lastUse),
  });
  const auth = recording<AuthService>(calls, { confirms: () => Promise.resolve(confirms) });
  pages = new PasswordPagesService(passwords, auth, pageLinks, pageSessions, pageRenderer);
});

describe('open and show', () => {
  it('keeps a token that works in a cookie, and leads to a form at an address without it', async () => {
    const opened = await pages.open(TOKEN);
    expect(opened.location).toBe('/api/v2/pages/password-resets');
    expect(openedBy(opened, PLACE)).toBe(TOKEN);
    const { status, html } = await pages.show(VISIT);
    expect(status).toBe(200);
    expect(html).toContain('action="/api/v2/pages/password-resets"');
    expect(html).toContain('value="form token"');
    expect(html).not.toContain(TOKEN);
  });

  it('welcomes a person who has no password yet, at the address of the service, also after a mistake', async () => {
    isFirst = true;
    for (const { html } of [await pages.show(VISIT), shownBy(await pages.reset(VISIT, { newPassword: 'short' }))]) {
      expect(html).toMatch(/<h1>Welcome<\/h1>[^]*This is your new account at /);
      expect(html).toContain('autocomplete="username" value="robin@example.com"');
      expect(html).not.toMatch(/revokeApiKeys|logged out|[Nn]ew password/);
    }
    isFirst = false;
    expect((await pages.show(VISIT)).html).not.toContain('robin@example.com');
  });

  it('shows nothing for a token that was used or is too old', async () => {
    await expect(pages.open('shw_used')).rejects.toMatchObject({ code: 'page_not_found' });
    await expect(pages.show(visitWith('shw_used'))).rejects.toMatchObject({ code: 'page_not_found' });
  });
});

describe('reset', () => {
  it('sets the password with the token of the link, and ends the cookie', async () => {
    const form = { newPassword: PASSWORD, token: 'shw_other' };
    const { status, html, ended } = shownBy(await pages.reset(VISIT, form));
    expect(resets()).toEqual([['reset', TOKEN, PASSWORD, false]]);
    expect(status).toBe(200);
    expect(html).toContain('Your password is set');
    expect(html).not.toContain(PASSWORD);
    expect(ended).toMatchObject({ name: 'page', value: '', path: '/api/v2/pages/password-resets' });
  });

  it('ends API keys only when the box is ticked', async () => {
    for (const revokeApiKeys of ['yes', 'no', undefined]) {
      await pages.reset(VISIT, { newPassword: PASSWORD, revokeApiKeys });
    }
    expect(resets().map(([, , , revokes]) => revokes)).toEqual([true, false, false]);
  });

  it('says what a password needs, keeps the form and the cookie, and changes nothing', async () => {
    const { status, html, ended } = shownBy(await pages.reset(VISIT, { newPassword: 'short' }));
    expect([status, ended]).toEqual([400, undefined]);
    expect(textOf(html, 'alert')).toBe('The password must have 10 to 128 characters.');
    expect(html).toContain('value="form token"');
    expect(html).not.toContain('value="short"');
    expect(resets()).toEqual([]);
  });

  it('keeps the tick that ends API keys when the password must be entered again', async () => {
    const ticked = async (form: Readonly<Record<string, string>>): Promise<boolean> => {
      const { html } = shownBy(await pages.reset(VISIT, { newPassword: 'short', ...form }));
      return /name="revokeApiKeys"[^>]* checked/.test(html);
    };
    expect([await ticked({ revokeApiKeys: 'yes' }), await ticked({})]).toEqual([true, false]);
    expect((await pages.show(VISIT)).html).not.toMatch(/<input[^>]* checked/);
  });

  it.each([
    ['nobody has used the link in the last minute', null, true, 400],
    ['another password was set', 'robin', false, 400],
    ['the same password was set', 'robin', true, 200],
  ] as const)('responds to a second click when %s', async (_, by, isSame, expected) => {
    [lastUse, confirms] = [by, isSame];
    reset = () => Promise.reject(new AppError('reset_token_invalid'));
    const { status, ended } = shownBy(await pages.reset(VISIT, { newPassword: PASSWORD }));
    expect([status, ended !== undefined]).toEqual([expected, expected === 200]);
    expect(calls).toContainEqual(['lastUse', TOKEN, false]);
    if (by !== null) expect(calls).toContainEqual(['confirms', by, PASSWORD, VISIT.device]);
  });

  it('says that the link was used in the meantime', async () => {
    reset = () => Promise.reject(new AppError('reset_token_invalid'));
    const { status, html, error } = shownBy(await pages.reset(VISIT, { newPassword: PASSWORD }));
    expect([status, error?.code]).toEqual([400, 'reset_token_invalid']);
    expect(textOf(html, 'alert')).toBe(PASSWORD_PAGE_COPY.en.problemToken);
  });

  it('passes on an error that is not about what the person did', async () => {
    reset = () => Promise.reject(new Error('the database is down'));
    await expect(pages.reset(VISIT, { newPassword: PASSWORD })).rejects.toThrow('the database is down');
  });

  it('shows the page of a reset in the language of the reader', async () => {
    const visit = visitWith(TOKEN, { languageIn: () => 'de' });
    expect((await pages.show(visit)).language).toBe('de');
    expect(shownBy(await pages.reset(visit, { newPassword: PASSWORD })).language).toBe('de');
  });
});
