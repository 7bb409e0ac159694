import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import logo from '../../../../templates/assets/logo.svg';
import { isLanguage, useLanguage } from '../lang/language.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { useGo } from './links.tsx';
import { LOOKS, useLook } from './look.tsx';
import { meQuery, preferencesQuery } from './queries.ts';

const NAME = 'Shop Platform';

/** The pages of those who are not signed in. */
export function Guests() {
  return (
    <main className="center">
      <div className="login">
        <div className="brand">
          <img src={logo} alt="" width="36" height="36" />
          {NAME}
        </div>
        <Outlet />
      </div>
    </main>
  );
}

/** A state in which there is nothing else yet. */
export function Alone({ children }: { readonly children: ReactNode }) {
  return (
    <main className="center">
      <div className="login">
        <h1 className="sr">{NAME}</h1>
        {children}
      </div>
    </main>
  );
}

/** The pages of those who are: others are led to the page where one signs in, and come back. */
export function SignedIn() {
  const me = useQuery(meQuery);
  const go = useGo();
  const place = useRouterState({ select: ({ location }) => location.href });
  const isGuest = me.data === null;
  useEffect(() => {
    if (isGuest) go('/sign-in', place === '/' ? {} : { next: place }, true);
  }, [isGuest]);
  if (me.data) return <Signed />;
  return (
    <Alone>{me.error ? <Failed error={me.error} onAgain={() => void me.refetch()} /> : <Loading rows={1} />}</Alone>
  );
}

/** The preferences of the person win over what the browser says. */
function Signed() {
  const { data } = useQuery(preferencesQuery);
  const { speak } = useLanguage();
  const { choose } = useLook();
  useEffect(() => {
    if (data === undefined) return;
    if (data.language !== null && isLanguage(data.language)) speak(data.language);
    choose(LOOKS.find((look) => look === data.look) ?? 'device');
  }, [data]);
  return <Outlet />;
}
