import { type Page } from '../../app/pages.ts';

const entry = (position: number, label: string) => ({ group: 'settings', position, label, icon: 'settings' }) as const;

export const pages: readonly Page[] = [
  {
    place: 'shop',
    path: 'settings',
    permission: 'shops:read',
    entry: { group: 'foot', position: 20, label: 'settings.title', icon: 'settings' },
    load: () => import('./shop.page.tsx'),
  },
  {
    place: 'shop',
    path: 'settings/legal',
    permission: 'shops:read',
    entry: entry(20, 'settings.legal'),
    load: () => import('./legal.page.tsx'),
  },
  {
    place: 'shop',
    path: 'settings/payments',
    permission: 'payments:read',
    entry: entry(30, 'settings.payments'),
    load: () => import('./payments.page.tsx'),
  },
  {
    place: 'shop',
    path: 'settings/team',
    permission: 'team:read',
    entry: entry(40, 'settings.team'),
    load: () => import('./team.page.tsx'),
  },
  {
    place: 'shop',
    path: 'settings/domain',
    permission: 'shops:read',
    entry: entry(50, 'settings.domain'),
    load: () => import('./domain.page.tsx'),
  },
];
