import { Injectable } from '@nestjs/common';
import { type Language } from '../../lib/formats/languages.js';
import { Templates } from '../../infrastructure/templates/templates.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { frontEndUrl } from '../../shops/shops/shop.mapper.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { type ShownPage } from './page-response.js';
import { policyOf, styleOf } from './page-style.js';

/** The branding of the shop that a page belongs to. */
export type ShopBranding = Pick<Shop, 'displayName' | 'accentColor'>;

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
  ) {}

  /** The address of a shop's own front end. */
  addressOf(shop: Shop): string {
    return frontEndUrl(shop, this.config.platformDomain);
  }

  /** A page that only says what was done. */
  message(frame: PageFrame, text: string): ShownPage {
    return this.render('message', 200, frame, { text, help: '' });
  }

  /** @param name of a template in `templates/pages` @param values of this template */
  render(name: string, status: number, { shop, problem, notice, ...frame }: PageFrame, values: object): ShownPage {
    const style = styleOf(shop?.accentColor ?? null);
    const html = this.templates.html(`pages/${name}`, {
      ...values,
      ...frame,
      style,
      shopName: shop?.displayName ?? '',
      problem: problem ?? '',
      notice: notice ?? '',
    });
    return { status, language: frame.language, html, policy: policyOf(style) };
  }
}
