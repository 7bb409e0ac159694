import { Injectable } from '@nestjs/common';
import { API_PREFIX } from '../../http/addresses/api-prefix.js';
import { PublicUrl } from '../../http/addresses/public-url.js';
import { type Language } from '../../lib/formats/languages.js';
import { Assets } from '../../infrastructure/templates/assets.js';
import { Templates } from '../../infrastructure/templates/templates.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { ICONS } from '../../shops/look/icons.js';
import { ShopStyle } from '../../shops/look/shop-style.js';
import { frontEndUrl } from '../../shops/shops/shop.mapper.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { type ShownPage } from './page-response.js';

/** The branding of the shop that a page belongs to. */
export type ShopBranding = Pick<
  Shop,
  'id' | 'uniqueName' | 'displayName' | 'accentColor' | 'theme' | 'logoId' | 'verifiedHostname'
>;

const NO_SHOP = { accentColor: null, theme: { font: 'manrope', mode: 'auto' } } as const;

/** The frame of every page. */
export interface PageFrame {
  readonly language: Language;
  /** null: the page belongs to no shop. */
  readonly shop: ShopBranding | null;
  readonly title: string;
  /** Shown first: what went wrong, and what to do. */
  readonly problem?: string | undefined;
  /** Shown first: what was done. */
  readonly notice?: string | undefined;
}

/** Renders pages in the look of their shop. */
@Injectable()
export class PageRenderer {
  constructor(
    private readonly templates: Templates,
    private readonly config: AppConfig,
    private readonly styles: ShopStyle,
    private readonly assets: Assets,
    private readonly url: PublicUrl,
  ) {}

  /** The address of a shop's own front end. Without `PUBLIC_URL` its host leads nowhere, and its pages are below the service. */
  addressOf(shop: Pick<Shop, 'uniqueName' | 'verifiedHostname'>): string {
    const { publicUrl, platformDomain } = this.config;
    return publicUrl === null ? `${this.url.base()}/shops/${shop.uniqueName}/` : frontEndUrl(shop, platformDomain);
  }

  /** A page that only says what was done. */
  message(frame: PageFrame, text: string): ShownPage {
    return this.render('message', 200, frame, { text, help: '' });
  }

  /** @param name of a template in `templates/pages` @param values of this template */
  render(name: string, status: number, { shop, problem, notice, ...frame }: PageFrame, values: object): ShownPage {
    const root = new URL(this.url.base()).pathname.replace(/\/$/, '');
    const look = this.styles.lookOf(shop ?? NO_SHOP, root);
    const logo = this.logoOf(shop, root);
    const mode = shop?.theme.mode ?? 'auto';
    const html = this.templates.html(`pages/${name}`, {
      heading: frame.title,
      ...values,
      ...frame,
      style: look.style,
      theme: mode === 'auto' ? '' : mode,
      icons: ICONS,
      icon: logo,
      brand: shop && {
        name: shop.displayName,
        url: this.addressOf(shop),
        logo,
        hasLogo: shop.logoId !== null,
      },
      problem: problem ?? '',
      notice: notice ?? '',
    });
    return { status, language: frame.language, html, policy: look.policy };
  }

  private logoOf(shop: ShopBranding | null, root: string): string {
    const logoId = shop?.logoId ?? null;
    return shop === null || logoId === null
      ? this.assets.pathOf(root, 'logo.svg')
      : `${root}/${API_PREFIX}/images/public/${shop.id}/${logoId}?w=320`;
  }
}
