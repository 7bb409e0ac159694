import { type Page } from '../../app/pages.ts';

const permission = 'products:read';

export const pages: readonly Page[] = [
  {
    place: 'shop',
    path: 'products',
    permission,
    entry: { group: 'daily', position: 30, label: 'products.title', icon: 'products' },
    load: () => import('./products.page.tsx'),
  },
  {
    place: 'shop',
    path: 'products/new',
    title: 'products.new',
    permission: 'products:write',
    load: () => import('./new-product.page.tsx'),
  },
  {
    place: 'shop',
    path: 'products/categories',
    title: 'products.categories',
    permission,
    load: () => import('./categories.page.tsx'),
  },
  {
    place: 'shop',
    path: 'products/tiers',
    title: 'products.tiers',
    permission,
    load: () => import('./tiers.page.tsx'),
  },
  {
    place: 'shop',
    path: 'products/$productId',
    title: 'products.product',
    permission,
    load: () => import('./product.page.tsx'),
  },
];
