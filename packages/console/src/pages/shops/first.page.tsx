import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useGo } from '../../app/links.tsx';
import { shopsQuery } from '../../app/queries.ts';
import { ShopList, Shops } from './shops.page.tsx';

/** Those who have one shop are in it at once; those who have none make one. */
export default function FirstPage() {
  const shops = useQuery(shopsQuery);
  const go = useGo();
  const only = shops.data?.length === 1 ? shops.data[0] : undefined;
  const hasNone = shops.data?.length === 0;
  useEffect(() => {
    if (only !== undefined) go(`/${only.uniqueName}`, {}, true);
    else if (hasNone) go('/shops/new', {}, true);
  }, [only, hasNone]);
  return <Shops>{(all) => (all.length > 1 ? <ShopList shops={all} /> : null)}</Shops>;
}
