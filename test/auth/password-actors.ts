import { type Response } from 'supertest';
import { type Person } from '../support/actors.js';
import { type Client } from '../support/client.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { type TestApp } from '../support/test-app.js';

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

export const NEW_PASSWORD = 'a better horse battery';
export const INVALID_RESET = 'The reset token is unknown, expired or already used';

/** The paths that errors name. */
export const FORGOT = '/api/v2/auth/password/forgot';
export const RESET = '/api/v2/auth/password/reset';
export const CHANGE = '/api/v2/auth/password/change';

/** The token of a reset, as an email has it. */
export const RESET_TOKEN = /shw_[\w-]{43}/;

export const login = (api: Client, email: string, password: string): Promise<Response> =>
  api.post('/auth/login', { email, password });

export async function newTokens(api: Client, { email, password }: Person): Promise<Tokens> {
  return expectSuccess<Tokens>(await login(api, email, password));
}

/** The session of the tokens has ended: neither of them works. */
export async function expectOver(api: Client, { accessToken, refreshToken }: Tokens): Promise<void> {
  expectError(await api.get('/auth/me', { token: accessToken }), 401, /^Authentication is missing/);
  expectError(await api.post('/auth/refresh', { refreshToken }), 401, /^The refresh token is invalid/);
}

/** Requests a reset and returns the token of the new email. */
export async function mailedToken({ api, mailbox }: TestApp, email: string): Promise<string> {
  const tokens = async (): Promise<string[]> =>
    (await mailbox.all())
      .filter((mail) => mail.includes(`To: ${email}`))
      .flatMap((mail) => RESET_TOKEN.exec(mail)?.[0] ?? []);
  const before = await tokens();
  expectSuccess(await api.post('/auth/password/forgot', { email }));
  return eventually(async () => (await tokens()).find((token) => !before.includes(token)));
}
