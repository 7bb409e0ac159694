import { type Page } from '../../app/pages.ts';

export const pages: readonly Page[] = [
  {
    place: 'shop',
    path: 'servers',
    permission: 'servers:read',
    entry: { group: 'daily', position: 70, label: 'servers.title', icon: 'servers' },
    load: () => import('./servers.page.tsx'),
  },
  {
    place: 'shop',
    path: 'servers/new',
    title: 'servers.connect',
    permission: 'servers:write',
    load: () => import('./new-server.page.tsx'),
  },
  {
    place: 'shop',
    path: 'servers/$serverId',
    title: 'servers.server',
    permission: 'servers:read',
    load: () => import('./server.page.tsx'),
  },
];
