import { type Page } from '../../app/pages.ts';

export const pages: readonly Page[] = [
  {
    place: 'shop',
    path: 'developers',
    // Everybody could make keys for what they may do themselves. Those who connect nothing have no use for them here.
    permission: 'webhooks:read',
    entry: { group: 'foot', position: 10, label: 'developers.title', icon: 'developers' },
    load: () => import('./keys.page.tsx'),
  },
  {
    place: 'shop',
    path: 'developers/webhooks',
    title: 'developers.webhooks',
    permission: 'webhooks:read',
    load: () => import('./webhooks.page.tsx'),
  },
  {
    place: 'shop',
    path: 'developers/webhooks/$webhookId',
    title: 'developers.webhook',
    permission: 'webhooks:read',
    load: () => import('./webhook.page.tsx'),
  },
  {
    place: 'shop',
    path: 'developers/rejected',
    title: 'developers.rejected',
    permission: 'webhooks:read',
    load: () => import('./rejected.page.tsx'),
  },
];
