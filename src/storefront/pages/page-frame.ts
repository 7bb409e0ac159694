import { Injectable } from '@nestjs/common';
import { API_PREFIX } from '../../http/addresses/api-prefix.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { Templates } from '../../infrastructure/templates/templates.js';
import { type Language, LANGUAGES } from '../../lib/formats/languages.js';
import { type SoldCategory } from '../../catalogue/snapshot/catalogue-snapshot.js';
import { frontEndUrl } from '../../shops/shops/shop.mapper.js';
import { LEGAL_PAGES, type WholeShop } from '../../shops/shops/shop.types.js';
import { Assets } from '../../infrastructure/templates/assets.js';
import { type Visit } from '../hosts/page-routing.js';
import { ShopStyle } from '../../shops/look/shop-style.js';
import { ICONS } from '../../shops/look/icons.js';
import { type PictureAddresses, pictureOf } from './pictures.js';
import { type ProductDisplay } from './product-view.js';
import { type StorefrontPage } from './storefront-page.js';
import { STOREFRONT_COPY, type StorefrontCopy } from './storefront-copy.js';

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };
const NO_SHOP = { accentColor: null, theme: { font: 'manrope', mode: 'auto' } } as const;

/** What every page of one visit has. */
export interface PageContext {
  readonly visit: Visit;
  readonly language: Language;
  /** null: the page belongs to no shop. */
  readonly shop: WholeShop | null;
  /** Those that the header names. */
  readonly categories: readonly SoldCategory[];
  /** How many pieces are in the basket of the visitor. */
  readonly pieces: number;
}

/** What a page adds to its frame. */
export interface PageContent {
  readonly title: string;
  readonly status?: number;
  /** For search engines and previews of links; without it, the page has neither. */
  readonly description?: string;
  /** The path of the page below the shop, for the address by which it is known; without it, search engines leave it out. */
  readonly canonicalPath?: string;
  readonly ogType?: 'website' | 'product';
  /** The image of the shop in previews of links; without it, that of the hero or the logo. */
  readonly imageId?: string | undefined;
  /** The id of the category that the header marks. */
  readonly categoryId?: string | null;
}

/** A link of a page. */
export interface PageLink {
  readonly label: string;
  readonly url: string;
}

/** The path of a category's page below the shop. */
export const categoryPath = ({ id, slug }: Pick<SoldCategory, 'id' | 'slug'>): string => `/c/${slug ?? id}`;

/** Where the API serves an image of a shop. */
const imagePath = (shopId: string, id: string): string => `/${API_PREFIX}/images/public/${shopId}/${id}`;

/** Renders pages of the storefront in the frame and the look of their shop. */
@Injectable()
export class PageFrame {
  constructor(
    private readonly templates: Templates,
    private readonly assets: Assets,
    private readonly styles: ShopStyle,
    private readonly config: AppConfig,
  ) {}

  /** @param name of a template in `templates/storefront` @param values of this template */
  render(name: string, context: PageContext, content: PageContent, values: object): StorefrontPage {
    const { visit, language, shop, categories, pieces } = context;
    const { status = 200, title, description = '', canonicalPath, ogType = 'website' } = content;
    const look = this.styles.lookOf(shop ?? NO_SHOP, visit.root);
    const copy = STOREFRONT_COPY[language];
    const mode = shop?.theme.mode ?? 'auto';
    const url = (path: string): string => `${visit.base}${path}`;
    const html = this.templates.html(`storefront/${name}`, {
      ...{ copy, language, title, description, ogType, icons: ICONS },
      ogImage: shop === null ? '' : this.previewOf(shop, content.imageId),
      ...{
        style: look.style,
        modulePath: look.modulePath,
        fontPath: look.fontPath,
        theme: mode === 'auto' ? '' : mode,
      },
      ownLang: shop?.lang ?? shop?.language ?? language,
      shopName: shop?.displayName ?? '',
      isHidden: canonicalPath === undefined || shop?.isActive !== true,
      canonical: canonicalPath === undefined || shop === null ? '' : this.addressOf(shop) + canonicalPath,
      pieces,
      cart: url('/basket'),
      addTo: url('/basket/items'),
      home: url('/'),
      search: url('/search'),
      logo: pictureOf(shop?.logoId == null ? [] : [shop.logoId], 'logo.svg', 320, this.picturesOf(visit, shop)),
      languages: languagesOf(visit, language),
      header: shop?.isActive === true && headerOf(shop, categories, content.categoryId ?? null, url),
      footer: shop !== null && footerOf(shop, copy, url),
      ...values,
    });
    return { status, language, html, policy: look.policyWithModule };
  }

  private picturesOf(visit: Visit, shop: WholeShop | null): PictureAddresses {
    return {
      picture: (file) => this.picture(visit, file),
      image: (id) => visit.root + imagePath(shop?.id ?? '', id),
    };
  }

  /** The absolute address of the picture in previews of links, which other hosts read; empty: the shop has none. */
  private previewOf(shop: WholeShop, imageId = shop.hero.imageId ?? shop.logoId ?? undefined): string {
    return imageId === undefined ? '' : `${this.addressOf(shop)}${imagePath(shop.id, imageId)}?w=1280`;
  }

  /** The path of one of our own pictures. */
  picture({ root }: Visit, file: string): string {
    return this.assets.pathOf(root, file);
  }

  /** How the pages of a visit show products. */
  displayOf({ visit, language, shop }: PageContext & { readonly shop: WholeShop }): ProductDisplay {
    return {
      ...{ language, copy: STOREFRONT_COPY[language], timezone: shop.timezone },
      url: (path) => visit.base + path,
      ...this.picturesOf(visit, shop),
    };
  }

  /** The address by which a shop is known. */
  addressOf(shop: WholeShop): string {
    return frontEndUrl(shop, this.config.platformDomain);
  }
}

function languagesOf({ base, path }: Visit, current: Language) {
  return LANGUAGES.map((code) => ({
    ...{ code, short: code.toUpperCase(), name: LANGUAGE_NAMES[code], isCurrent: code === current },
    url: `${base}${path}?lang=${code}`,
  }));
}

function headerOf(
  { notice }: WholeShop,
  categories: readonly SoldCategory[],
  current: string | null,
  url: (path: string) => string,
) {
  return {
    notice: notice && { text: notice.text, label: notice.label ?? '', url: notice.url ?? '' },
    nav: categories
      .filter(({ parentId }) => parentId === null)
      .map((one) => ({ label: one.name, url: url(categoryPath(one)), isCurrent: one.id === current })),
  };
}

function footerOf(shop: WholeShop, copy: StorefrontCopy, url: (path: string) => string) {
  const { seller, legalPages, supportEmail, links, isActive } = shop;
  const from = [seller.sellerName, ...(seller.address?.split(/\s*\n\s*/) ?? [])].filter((part) => part).join(', ');
  const legal = LEGAL_PAGES.flatMap((name): PageLink[] => {
    const page = legalPages[name];
    return page === null ? [] : [{ label: copy[name], url: page.url ?? url(`/legal/${name}`) }];
  });
  return {
    seller: from === '' ? '' : copy.soldBy(from),
    vatId: seller.vatId === null ? '' : copy.vatId(seller.vatId),
    taxNote: seller.taxNote ?? '',
    disclaimer: seller.disclaimer ?? '',
    help: [
      ...(supportEmail === null ? [] : [{ label: copy.contact, url: mailTo(supportEmail) }]),
      { label: copy.findOrder, url: url('/find-order') },
      ...(isActive ? [{ label: copy.howItWorks, url: `${url('/')}#how` }] : []),
    ],
    links,
    legal,
    year: new Date().getUTCFullYear(),
  };
}

/** The link that writes to an address. */
export function mailTo(address: string): string {
  return `mailto:${encodeURIComponent(address).replace('%40', '@')}`;
}
