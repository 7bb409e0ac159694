import { type Page } from '../../app/pages.ts';

export const pages: readonly Page[] = [
  {
    place: 'shop',
    path: '',
    entry: { group: 'daily', position: 10, label: 'nav.home', icon: 'home', isTab: true },
    load: () => import('./home.page.tsx'),
  },
];
