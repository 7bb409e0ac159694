import { type Page } from '../../app/pages.ts';

export const pages: readonly Page[] = [
  { place: 'guest', path: 'sign-in', load: () => import('./sign-in.page.tsx') },
  { place: 'guest', path: 'register', load: () => import('./register.page.tsx') },
  { place: 'guest', path: 'forgot-password', load: () => import('./forgot-password.page.tsx') },
  { place: 'guest', path: 'invitation', load: () => import('./invitation.page.tsx') },
];
