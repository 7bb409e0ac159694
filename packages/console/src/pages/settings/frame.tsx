import { useRouterState } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { Link } from '../../app/links.tsx';
import { entriesOf } from '../../app/pages.ts';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Head } from '../../ui/parts.tsx';

/** The pages of the settings, with their navigation. */
export function SettingsFrame({ children, action }: { readonly children: ReactNode; readonly action?: ReactNode }) {
  const t = useT();
  const shop = useShop();
  const place = useRouterState({ select: ({ location }) => location.pathname });
  const all = [
    { path: 'settings', label: 'settings.shop' },
    ...entriesOf('settings', shop.permissions).map(({ path, entry }) => ({ path, label: entry.label })),
  ];
  return (
    <>
      <Head title={t('settings.title')}>{action}</Head>
      <div className="setgrid">
        <nav className="setnav" aria-label={t('settings.title')}>
          {all.map(({ path, label }) => (
            <Link
              key={path}
              to={`/${shop.uniqueName}/${path}`}
              aria-current={place.endsWith(`/${path}`) ? 'page' : undefined}
            >
              {t(label)}
            </Link>
          ))}
        </nav>
        <div className="stack">{children}</div>
      </div>
    </>
  );
}
