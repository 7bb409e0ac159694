import { type Page } from '../../app/pages.ts';

export const pages: readonly Page[] = [{ place: 'account', path: 'account', load: () => import('./account.page.tsx') }];
