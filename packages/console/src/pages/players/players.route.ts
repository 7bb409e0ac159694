import { type Page } from '../../app/pages.ts';

const permission = 'orders:read';

export const pages: readonly Page[] = [
  {
    place: 'shop',
    path: 'players',
    permission,
    entry: { group: 'daily', position: 40, label: 'players.title', icon: 'players' },
    load: () => import('./players.page.tsx'),
  },
  { place: 'shop', path: 'players/bans', title: 'players.bans', permission, load: () => import('./bans.page.tsx') },
  { place: 'shop', path: 'players/$key', title: 'players.player', permission, load: () => import('./player.page.tsx') },
];
