export const FONTS = ['manrope', 'geist', 'device'] as const;
export type Font = (typeof FONTS)[number];

export const MODES = ['auto', 'light', 'dark'] as const;
export type Mode = (typeof MODES)[number];

/** The parts of the first page. Three have the names of widgets: what they show is public only with the widget. */
export const PAGE_PARTS = [
  ...(['hero', 'categories', 'featured', 'how_it_works'] as const),
  ...(['monthly_goal', 'servers', 'recent_purchases', 'top_buyers'] as const),
] as const;
export type PagePart = (typeof PAGE_PARTS)[number];

export interface ShopLink {
  readonly label: string;
  /** http or https. */
  readonly url: string;
}

export interface Theme {
  readonly font: Font;
  readonly mode: Mode;
}

/** The top of the first page. */
export interface Hero {
  readonly title: string | null;
  readonly text: string | null;
  /** An image that the shop has uploaded; null: none. */
  readonly imageId: string | null;
  readonly links: readonly ShopLink[];
}

/** One line above every page, with a link or without one. */
export interface Notice {
  readonly text: string;
  readonly label: string | null;
  readonly url: string | null;
}

/** What an owner says about the pages of the shop. */
export interface StorefrontSettings {
  /** An https URL. */
  readonly logoUrl: string | null;
  /** An image that the shop has uploaded; null: none. It comes before `logoUrl`. */
  readonly logoId: string | null;
  /** The language of what the shop writes itself (BCP 47); null: that of its emails. */
  readonly lang: string | null;
  readonly theme: Theme;
  readonly links: readonly ShopLink[];
  readonly hero: Hero;
  readonly notice: Notice | null;
  readonly goalText: string | null;
  /** In the order in which they are shown. */
  readonly parts: readonly PagePart[];
  /** What a visitor reads while the shop is closed. */
  readonly closedText: string | null;
  /** Where scripts may call the API and where payments may return to, besides the addresses of the front end: https origins. */
  readonly origins: readonly string[];
}
