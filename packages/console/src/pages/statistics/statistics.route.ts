import { type Page } from '../../app/pages.ts';

export const pages: readonly Page[] = [
  {
    place: 'shop',
    path: 'statistics',
    permission: 'stats:read',
    entry: { group: 'more', position: 10, label: 'statistics.title', icon: 'statistics', isTab: true },
    load: () => import('./statistics.page.tsx'),
  },
];
