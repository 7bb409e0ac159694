import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { ROOT } from '../api/client.ts';
import { useT } from '../lang/language.tsx';
import { Alert, Button } from '../ui/parts.tsx';
import { Bare, Empty } from '../ui/states.tsx';
import { Connection } from './connection.tsx';
import { Guests, SignedIn } from './frames.tsx';
import { PAGES, type Page } from './pages.ts';
import { Link } from './links.tsx';
import { OfShop } from './shell.tsx';

function NotFound() {
  const t = useT();
  return (
    <main className="center">
      <Empty heading="h1" title={t('error.notFound')} text={t('error.notFoundText')}>
        <Link className="btn" to="/">
          {t('nav.home')}
        </Link>
      </Empty>
    </main>
  );
}

/** A page of this version that is gone from the service, or an error of ours. The rest of the console stays. */
function Broken() {
  const t = useT();
  return (
    <Bare heading={t('error.page')}>
      <Alert
        tone="bad"
        title={t('error.unknown')}
        action={<Button onClick={() => window.location.reload()}>{t('state.reload')}</Button>}
      />
    </Bare>
  );
}

const root = createRootRoute({
  component: () => (
    <>
      <Connection />
      <Outlet />
    </>
  ),
  notFoundComponent: NotFound,
});
const guests = createRoute({ getParentRoute: () => root, id: 'guests', component: Guests });
const account = createRoute({ getParentRoute: () => root, id: 'account', component: SignedIn });
const shop = createRoute({ getParentRoute: () => account, path: '$shop', component: OfShop });

const routeOf = (page: Page, parent: AnyRoute) =>
  createRoute({
    getParentRoute: () => parent,
    path: page.path === '' ? '/' : page.path,
    component: lazyRouteComponent(page.load),
    staticData: { page },
  });
const below = (place: Page['place'], parent: AnyRoute) =>
  PAGES.filter((page) => page.place === place).map((page) => routeOf(page, parent));

const tree = root.addChildren([
  guests.addChildren(below('guest', guests)),
  account.addChildren([...below('account', account), shop.addChildren(below('shop', shop))]),
]);

export const router = createRouter({
  routeTree: tree,
  basepath: `${ROOT}/console`,
  // Filters stay text: `?q=1042` is no number.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(entries as [string, string][]).toString();
    return text === '' ? '' : `?${text}`;
  },
  scrollRestoration: false,
  defaultErrorComponent: Broken,
});

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What the registry says about the page. */
    readonly page?: Page;
  }
}
