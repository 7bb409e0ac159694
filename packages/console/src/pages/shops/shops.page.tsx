import { useQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { type ShopOfMine } from '../../api/types.ts';
import { Link } from '../../app/links.tsx';
import { shopsQuery } from '../../app/queries.ts';
import { useT } from '../../lang/language.tsx';
import { initialsOf } from '../../ui/formats.ts';
import { Badge } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';

export default function ShopsPage() {
  return <Shops>{(shops) => <ShopList shops={shops} />}</Shops>;
}

/** The shops of the reader, on a page of their own. */
export function Shops({ children }: { readonly children: (shops: readonly ShopOfMine[]) => ReactNode }) {
  const t = useT();
  return (
    <main className="center">
      <div className="login">
        <Loaded query={useQuery(shopsQuery)} heading={t('shops.yours')} rows={2}>
          {children}
        </Loaded>
      </div>
    </main>
  );
}

export function ShopList({ shops }: { readonly shops: readonly ShopOfMine[] }) {
  const t = useT();
  return (
    <section className="card">
      <h1>{t('shops.yours')}</h1>
      <nav className="side-list" aria-label={t('shops.yours')}>
        {shops.map((shop) => (
          <Link key={shop._id} to={`/${shop.uniqueName}`}>
            <span className="avatar" aria-hidden="true">
              {initialsOf(shop.displayName)}
            </span>
            <span className="grow">
              {shop.displayName}
              <small className="hint block">{t(`role.${shop.role}`)}</small>
            </span>
            {!shop.isActive && <Badge>{t('shops.closed')}</Badge>}
          </Link>
        ))}
      </nav>
      <Link className="btn" to="/shops/new">
        {t('shops.new')}
      </Link>
    </section>
  );
}
