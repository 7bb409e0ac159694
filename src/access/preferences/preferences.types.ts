import { type Language } from '../../lib/formats/languages.js';

/** `device`: as the device of the person says. */
export const LOOKS = ['device', 'light', 'dark'] as const;
export type Look = (typeof LOOKS)[number];

/** How the pages of staff look for a person, in every shop. */
export interface Settings {
  /** null: as the browser says. */
  readonly language: Language | null;
  readonly look: Look;
  /** Whether single letters are keyboard shortcuts. */
  readonly shortcuts: boolean;
}

export const DEFAULT_SETTINGS: Settings = { language: null, look: 'device', shortcuts: true };

/** The lists of staff that have views. */
export const VIEWED_LISTS = [
  'orders',
  'products',
  'discounts',
  'players',
  'deliveries',
  'servers',
  'bans',
  'audit',
  'movements',
] as const;
export type ViewedList = (typeof VIEWED_LISTS)[number];

/** Filters of a list that a person has saved under a name. */
export interface SavedView {
  readonly list: ViewedList;
  readonly name: string;
  /** As the query of the list has them. */
  readonly filters: string;
}

export const MAX_VIEWS = 50;
export const MAX_VIEW_NAME = 40;
export const MAX_VIEW_FILTERS = 500;
