import { type ComponentType } from 'react';
import { type Overview } from '../api/types.ts';
import { type IconName } from '../ui/icons.tsx';

/** What waits for a person: red when something failed. */
export interface Count {
  readonly count: number;
  readonly isBad: boolean;
}

/** An entry of the navigation. */
export interface Entry {
  /** Daily work on top, then what one looks at, then what one sets up; `settings` stands in the page of the settings. */
  readonly group: 'daily' | 'more' | 'foot' | 'settings';
  readonly position: number;
  /** The key of its text. */
  readonly label: string;
  readonly icon: IconName;
  /** Whether phones show it in the bar at the bottom. */
  readonly isTab?: boolean;
  readonly countOf?: (overview: Overview) => Count | null;
}

/** A page of the console: one file `*.route.ts` has it, so that another page changes no file. */
export interface Page {
  /** Who sees it: everybody, everybody who is signed in, or the team of a shop. */
  readonly place: 'guest' | 'account' | 'shop';
  /** Below `/console`, or below `/console/{shop}`. `$name` is a parameter. */
  readonly path: string;
  /** Those who lack it do not see the entry, and the page says who can help. The service decides by itself. */
  readonly permission?: string;
  readonly entry?: Entry;
  /** The key of what the tab of the browser says where no entry does. */
  readonly title?: string;
  /** The page is loaded when it is opened: its default export is the component. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

const FILES = import.meta.glob<{ readonly pages: readonly Page[] }>('../pages/**/*.route.ts', { eager: true });

export const PAGES: readonly Page[] = Object.values(FILES).flatMap(({ pages }) => pages);

/** A page that the navigation names. */
export type NamedPage = Page & { readonly entry: Entry };

/** The entries of a group that somebody with these permissions sees. */
export function entriesOf(group: Entry['group'], permissions: readonly string[]): readonly NamedPage[] {
  return PAGES.filter((page): page is NamedPage => page.entry?.group === group)
    .filter(({ permission }) => permission === undefined || permissions.includes(permission))
    .sort((one, other) => one.entry.position - other.entry.position);
}
