import { type Page } from '../../app/pages.ts';

export const pages: readonly Page[] = [
  {
    place: 'shop',
    path: 'discounts',
    permission: 'discounts:read',
    entry: { group: 'daily', position: 50, label: 'discounts.title', icon: 'discounts' },
    load: () => import('./discounts.page.tsx'),
  },
  {
    place: 'shop',
    path: 'discounts/sales',
    title: 'discounts.sales',
    permission: 'sales:read',
    load: () => import('./sales.page.tsx'),
  },
  {
    place: 'shop',
    path: 'discounts/new',
    title: 'discounts.new',
    permission: 'discounts:write',
    load: () => import('./discount.page.tsx'),
  },
  {
    place: 'shop',
    path: 'discounts/$discountId',
    title: 'discounts.code',
    permission: 'discounts:read',
    load: () => import('./discount.page.tsx'),
  },
];
