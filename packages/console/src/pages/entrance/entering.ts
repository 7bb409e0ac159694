import { useQueryClient } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import { type SecondFactorNeeded, type User } from '../../api/types.ts';

type Session = { readonly user: User } | SecondFactorNeeded;

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
      const answer = await send<Session>('POST', '/auth/session', { body: { email, password } });
      if ('secondFactor' in answer) return answer.secondFactor.token;
      enter(answer.user);
      return null;
    },
    async withCode(token: string, code: string): Promise<void> {
      const body = { token, code };
      enter((await send<{ readonly user: User }>('POST', '/auth/session/second-factor', { body })).user);
    },
    /** Creates an account, and signs in with the cookie: the tokens of the registration are given back. */
    async withNewAccount(account: Readonly<Record<string, string>>): Promise<void> {
      const { refreshToken } = await send<{ readonly refreshToken: string }>('POST', '/auth/register', {
        body: account,
      });
      await send('POST', '/auth/logout', { body: { refreshToken } });
      const { email, password } = account;
      const answer = await send<Session>('POST', '/auth/session', { body: { email, password } });
      if ('user' in answer) enter(answer.user);
    },
  };
}

/** A place of the console that stands in the address; another one is the first page. */
export function placeOf(next: string | undefined): string {
  return next !== undefined && /^\/[^/\\]/.test(next) ? next : '/';
}
