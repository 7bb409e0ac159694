import { type Body } from '@shop-platform/client';
import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { type User } from '../../api/types.ts';

/** Signing in: with the password, and with a code where the account has a second factor. */
export function useEntering() {
  const client = useQueryClient();
  const enter = (user: User): void => {
    // Nothing of a person before stays.
    client.clear();
    client.setQueryData(['me'], user);
  };
  return {
    /** Returns the token of the second step; null: the person is signed in. */
    async withPassword(email: string, password: string): Promise<string | null> {
      const answer = await dataOf(api.post('/api/v2/auth/session', { body: { email, password } }));
      if (answer.secondFactor !== undefined) return answer.secondFactor.token;
      if (answer.user !== undefined) enter(answer.user);
      return null;
    },
    async withCode(token: string, code: string): Promise<void> {
      const body = { token, code };
      enter((await dataOf(api.post('/api/v2/auth/session/second-factor', { body }))).user);
    },
    /** Creates an account, and signs in with the cookie: the tokens of the registration are given back. */
    async withNewAccount(account: Body<'post', '/api/v2/auth/register'>): Promise<void> {
      const { refreshToken } = await dataOf(api.post('/api/v2/auth/register', { body: account }));
      await api.post('/api/v2/auth/logout', { body: { refreshToken } });
      const { email, password } = account;
      const answer = await dataOf(api.post('/api/v2/auth/session', { body: { email, password } }));
      if (answer.user !== undefined) enter(answer.user);
    },
  };
}

/** A place of the console that stands in the address; another one is the first page. */
export function placeOf(next: string | undefined): string {
  return next !== undefined && /^\/[^/\\]/.test(next) ? next : '/';
}
