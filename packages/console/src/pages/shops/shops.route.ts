import { type Page } from '../../app/pages.ts';

export const pages: readonly Page[] = [
  { place: 'account', path: '', load: () => import('./first.page.tsx') },
  { place: 'account', path: 'shops', load: () => import('./shops.page.tsx') },
  { place: 'account', path: 'shops/new', load: () => import('./new-shop.page.tsx') },
];
