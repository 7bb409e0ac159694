import { type Page } from '../../app/pages.ts';

export const pages: readonly Page[] = [
  {
    place: 'shop',
    path: 'storefront',
    permission: 'shops:write',
    entry: { group: 'more', position: 20, label: 'storefront.title', icon: 'storefront' },
    load: () => import('./storefront.page.tsx'),
  },
];
