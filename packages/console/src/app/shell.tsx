import { useQuery } from '@tanstack/react-query';
import { Outlet, useMatches, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ROOT, api } from '../api/client.ts';
import { type Overview, type ShopOfMine, type User } from '../api/types.ts';
import { useT } from '../lang/language.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { initialsOf } from '../ui/formats.ts';
import { Icon } from '../ui/icons.tsx';
import { Menu } from '../ui/menu.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { Alone } from './frames.tsx';
import { Link, useGo, usePlace } from './links.tsx';
import { entriesOf, type NamedPage } from './pages.ts';
import { Palette } from './palette.tsx';
import { meQuery, overviewQuery, shopsQuery } from './queries.ts';
import { ShopContext } from './shop.tsx';

/** The pages of a shop: the navigation around the page. */
export function OfShop() {
  const t = useT();
  const { shop: name } = usePlace();
  const shops = useQuery(shopsQuery);
  const shop = shops.data?.find(({ uniqueName }) => uniqueName === name);
  if (shops.data === undefined) {
    return (
      <Alone>
        {shops.error ? <Failed error={shops.error} onAgain={() => void shops.refetch()} /> : <Loading rows={1} />}
      </Alone>
    );
  }
  if (shop === undefined) {
    return (
      <main className="center">
        <Empty heading="h1" title={t('shops.unknown')} text={t('shops.unknownText')}>
          <Link className="btn main" to="/">
            {t('shops.yours')}
          </Link>
        </Empty>
      </main>
    );
  }
  return (
    <ShopContext key={shop._id} value={shop}>
      <Shell shop={shop} shops={shops.data} />
    </ShopContext>
  );
}

function Shell({ shop, shops }: { readonly shop: ShopOfMine; readonly shops: readonly ShopOfMine[] }) {
  const t = useT();
  const me = useQuery(meQuery).data;
  const overview = useQuery(overviewQuery(shop._id)).data;
  const [isSearching, setSearching] = useState(false);
  const matches = useMatches();
  const page = matches.at(-1)?.staticData.page;
  const isAllowed = page?.permission === undefined || shop.permissions.includes(page.permission);
  const label = page?.entry?.label ?? page?.title;
  const title = label === undefined ? shop.displayName : `${t(label)} · ${shop.displayName}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className="app">
      <a className="skip" href="#content">
        {t('nav.skip')}
      </a>
      <Side shop={shop} shops={shops} overview={overview} />
      <header className="bar">
        <Link className="shop" to={`/${shop.uniqueName}`}>
          <span className="initials" aria-hidden="true">
            {initialsOf(shop.displayName)}
          </span>
          <span>{shop.displayName}</span>
        </Link>
        <button type="button" className="find" onClick={() => setSearching(true)}>
          <Icon name="search" />
          <span>{t('nav.search')}</span>
          <kbd aria-hidden="true">Ctrl K</kbd>
        </button>
        <div className="right">
          <a className="btn view" href={`${ROOT}/shops/${shop.uniqueName}/`}>
            <Icon name="out" />
            <span>{t('nav.viewShop')}</span>
          </a>
          {me && <Account user={me} />}
        </div>
      </header>
      <main className="page" id="content">
        {isAllowed ? <Outlet /> : <NotAllowed overview={overview} />}
      </main>
      <Tabs shop={shop} overview={overview} />
      <Palette shop={shop} isOpen={isSearching} onOpen={() => setSearching(true)} onClose={() => setSearching(false)} />
    </div>
  );
}

/** Says who can help. */
function NotAllowed({ overview }: { readonly overview: Overview | undefined }) {
  const t = useT();
  const names = overview?.whoManages.map(({ name }) => name).join(', ');
  return (
    <section className="card">
      <Empty
        heading="h1"
        title={t('error.notAllowed')}
        text={names === undefined || names === '' ? t('error.notAllowedText') : t('error.askThem', { names })}
      />
    </section>
  );
}

function Account({ user }: { readonly user: User }) {
  const t = useT();
  const go = useGo();
  const signOut = async (): Promise<void> => {
    await api.delete('/api/v2/auth/session');
    // Everything that was read belongs to the person: nothing of it stays in memory.
    window.location.assign(`${ROOT}/console/sign-in`);
  };
  return (
    <Menu
      button={
        <button type="button" className="avatar">
          <span aria-hidden="true">{initialsOf(user.name)}</span>
          <span className="sr">{t('nav.account', { name: user.name })}</span>
        </button>
      }
      entries={[
        { label: t('account.title'), icon: 'person', onSelect: () => go('/account') },
        { label: t('shops.yours'), icon: 'storefront', onSelect: () => go('/shops') },
        null,
        { label: t('account.signOut'), icon: 'out', onSelect: () => void signOut() },
      ]}
    />
  );
}

const pathOf = (shop: ShopOfMine, page: NamedPage): string =>
  page.path === '' ? `/${shop.uniqueName}` : `/${shop.uniqueName}/${page.path}`;

function useIsCurrent(shop: ShopOfMine): (page: NamedPage) => boolean {
  // Without the base path of the router.
  const place = useRouterState({ select: ({ location }) => location.pathname.replace(/\/+$/, '') });
  return (page) => {
    const path = pathOf(shop, page);
    if (page.path === '') return place === path;
    // The first of the settings stands for all of them.
    const first = page.entry.group === 'foot' ? path.split('/').slice(0, 3).join('/') : path;
    return place === first || place.startsWith(`${first}/`);
  };
}

function Counted({ page, overview }: { readonly page: NamedPage; readonly overview: Overview | undefined }) {
  const count = overview && page.entry.countOf?.(overview);
  return count ? <span className={`n ${count.isBad ? 'bad' : ''}`}>{count.count}</span> : null;
}

interface NavigationProps {
  readonly shop: ShopOfMine;
  readonly overview: Overview | undefined;
}

function Side({ shop, shops, overview }: NavigationProps & { readonly shops: readonly ShopOfMine[] }) {
  const t = useT();
  const go = useGo();
  const isCurrent = useIsCurrent(shop);
  const links = (group: 'daily' | 'more' | 'foot') =>
    entriesOf(group, shop.permissions).map((page) => (
      <Link key={page.path} to={pathOf(shop, page)} aria-current={isCurrent(page) ? 'page' : undefined}>
        <Icon name={page.entry.icon} />
        <span>{t(page.entry.label)}</span>
        <Counted page={page} overview={overview} />
      </Link>
    ));
  return (
    <nav className="side" aria-label={t('nav.sections')}>
      <Menu
        button={
          <button type="button" className="switch-shop">
            <span className="initials" aria-hidden="true">
              {initialsOf(shop.displayName)}
            </span>
            <span className="grow">
              <b>{shop.displayName}</b>
              <small>
                {t(`role.${shop.role}`)} · {shop.uniqueName}
              </small>
            </span>
            <Icon name="down" />
          </button>
        }
        entries={[
          ...shops.map((other) => ({ label: other.displayName, onSelect: () => go(`/${other.uniqueName}`) })),
          null,
          { label: t('shops.new'), icon: 'plus', onSelect: () => go('/shops/new') },
        ]}
      />
      {links('daily')}
      <span className="hr" />
      {links('more')}
      <span className="gap" />
      {links('foot')}
    </nav>
  );
}

/** The navigation of phones: the bar at the bottom, whose last tab opens all entries. */
function Tabs({ shop, overview }: NavigationProps) {
  const t = useT();
  const isCurrent = useIsCurrent(shop);
  const [isOpen, setOpen] = useState(false);
  const all = (['daily', 'more', 'foot'] as const).flatMap((group) => entriesOf(group, shop.permissions));
  return (
    <>
      <nav className="tabsb" aria-label={t('nav.sectionsMore')}>
        {all
          .filter(({ entry }) => entry.isTab)
          .map((page) => {
            const count = overview && page.entry.countOf?.(overview);
            return (
              <Link key={page.path} to={pathOf(shop, page)} aria-current={isCurrent(page) ? 'page' : undefined}>
                <Icon name={page.entry.icon} />
                {t(page.entry.label)}
                {count && <b>{count.count}</b>}
              </Link>
            );
          })}
        <button type="button" onClick={() => setOpen(true)}>
          <Icon name="menu" />
          {t('nav.more')}
        </button>
      </nav>
      <Dialog isOpen={isOpen} title={shop.displayName} onClose={() => setOpen(false)}>
        <nav className="side-list" aria-label={t('nav.sections')}>
          {all.map((page) => (
            <Link
              key={page.path}
              to={pathOf(shop, page)}
              aria-current={isCurrent(page) ? 'page' : undefined}
              onClick={() => setOpen(false)}
            >
              <Icon name={page.entry.icon} />
              <span className="grow">{t(page.entry.label)}</span>
              <Counted page={page} overview={overview} />
            </Link>
          ))}
        </nav>
      </Dialog>
    </>
  );
}
