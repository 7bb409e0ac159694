import { type Page } from '../../app/pages.ts';

export const pages: readonly Page[] = [
  {
    place: 'shop',
    path: 'orders',
    permission: 'orders:read',
    entry: {
      group: 'daily',
      position: 20,
      label: 'orders.title',
      icon: 'orders',
      isTab: true,
      countOf: ({ orders }) => {
        const count = (orders?.needsReview ?? 0) + (orders?.disputed ?? 0);
        return count === 0 ? null : { count, isBad: false };
      },
    },
    load: () => import('./orders.page.tsx'),
  },
  {
    place: 'shop',
    path: 'orders/new',
    title: 'orders.give',
    permission: 'orders:grant',
    load: () => import('./new-order.page.tsx'),
  },
  {
    place: 'shop',
    path: 'orders/$orderId',
    title: 'orders.order',
    permission: 'orders:read',
    load: () => import('./order.page.tsx'),
  },
];
