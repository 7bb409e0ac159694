export const FONTS = ['manrope', 'geist', 'device'] as const;
export type Font = (typeof FONTS)[number];
export const MODES = ['auto', 'light', 'dark'] as const;
export type Mode = (typeof MODES)[number];

/** The parts of the first page. */
export const PARTS = [
  ...(['hero', 'categories', 'featured', 'how_it_works'] as const),
  ...(['monthly_goal', 'servers', 'recent_purchases', 'top_buyers'] as const),
] as const;
export type Part = (typeof PARTS)[number];
/** Parts that show something only when the widget of the same name is public, too. */
export const WIDGETS: readonly Part[] = ['monthly_goal', 'recent_purchases', 'top_buyers'];

export interface ShopLink {
  readonly label: string;
  readonly url: string;
}

/** What the API says of the shop, as far as the page is about it. */
export interface ShopSettings {
  readonly logoId: string | null;
  readonly accentColor: string | null;
  readonly theme: { readonly font: Font; readonly mode: Mode };
  readonly hero: {
    readonly title: string | null;
    readonly text: string | null;
    readonly imageId: string | null;
    readonly links: readonly ShopLink[];
  };
  readonly notice: { readonly text: string; readonly label: string | null; readonly url: string | null } | null;
  readonly links: readonly ShopLink[];
  readonly parts: readonly Part[];
  readonly widgets: readonly string[];
  readonly goalText: string | null;
  readonly closedText: string | null;
}

/** The names are those of the API, so that its errors find their field. An empty text is none. */
export type StorefrontValues = {
  readonly logoId: string;
  readonly accentColor: string;
  readonly 'theme.font': Font;
  readonly 'theme.mode': Mode;
  readonly 'hero.title': string;
  readonly 'hero.text': string;
  readonly 'hero.imageId': string;
  readonly 'hero.links': readonly ShopLink[];
  readonly 'notice.text': string;
  readonly 'notice.label': string;
  readonly 'notice.url': string;
  readonly links: readonly ShopLink[];
  readonly parts: readonly Part[];
  readonly widgets: readonly string[];
  readonly goalText: string;
  readonly closedText: string;
};

export function valuesOf(shop: ShopSettings): StorefrontValues {
  const { theme, hero, notice } = shop;
  return {
    logoId: shop.logoId ?? '',
    accentColor: shop.accentColor ?? '',
    'theme.font': theme.font,
    'theme.mode': theme.mode,
    'hero.title': hero.title ?? '',
    'hero.text': hero.text ?? '',
    'hero.imageId': hero.imageId ?? '',
    'hero.links': hero.links,
    'notice.text': notice?.text ?? '',
    'notice.label': notice?.label ?? '',
    'notice.url': notice?.url ?? '',
    links: shop.links,
    parts: shop.parts,
    widgets: shop.widgets,
    goalText: shop.goalText ?? '',
    closedText: shop.closedText ?? '',
  };
}

type Body = { [name: string]: unknown };

/** What to send: the settings that differ, and no others. A notice is sent whole, as the API wants it. */
export function bodyOf(values: StorefrontValues, before: StorefrontValues): Body {
  const body: Body = {};
  for (const [name, value] of Object.entries(values)) {
    const old = before[name as keyof StorefrontValues];
    if (JSON.stringify(value) === JSON.stringify(old)) continue;
    if (name.startsWith('notice.')) {
      const text = values['notice.text'];
      const [label, url] = [values['notice.label'] || null, values['notice.url'] || null];
      body['notice'] = text === '' ? null : { text, label, url };
      continue;
    }
    const path = name.split('.');
    let place = body;
    for (const part of path.slice(0, -1)) place = (place[part] ??= {}) as Body;
    place[path.at(-1) ?? name] = value === '' ? null : value;
  }
  return body;
}

/** All parts: those that are shown, in their order, and then the others. */
export const orderOf = (parts: readonly Part[]): readonly Part[] => [
  ...parts,
  ...PARTS.filter((part) => !parts.includes(part)),
];
