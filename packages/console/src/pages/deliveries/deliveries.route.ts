import { type Page } from '../../app/pages.ts';

export const pages: readonly Page[] = [
  {
    place: 'shop',
    path: 'deliveries',
    permission: 'deliveries:read',
    entry: {
      group: 'daily',
      position: 60,
      label: 'deliveries.title',
      icon: 'deliveries',
      isTab: true,
      countOf: ({ deliveries }) => {
        const count = (deliveries ?? []).reduce((sum, { failed }) => sum + failed, 0);
        return count === 0 ? null : { count, isBad: true };
      },
    },
    load: () => import('./deliveries.page.tsx'),
  },
];
