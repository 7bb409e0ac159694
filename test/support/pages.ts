import { PageLinks } from '../../src/http/addresses/page-links.js';
import { type PublicUrl } from '../../src/http/addresses/public-url.js';
import { Assets } from '../../src/infrastructure/templates/assets.js';
import { Templates } from '../../src/infrastructure/templates/templates.js';
import { type AppConfig } from '../../src/infrastructure/config/app-config.js';
import { type PageResponse, type Redirection, type ShownPage } from '../../src/notifications/pages/page-response.js';
import { PageRenderer } from '../../src/notifications/pages/page-renderer.js';
import { PageSessions } from '../../src/notifications/pages/page-sessions.js';
import { ShopStyle } from '../../src/shops/look/shop-style.js';
import { type Visit } from '../../src/notifications/pages/visit.js';
import { type WholeShop } from '../../src/shops/shops/shop.types.js';
import { type OrderVisit } from '../../src/storefront/orders/order-visits.service.js';
import { PageFrame } from '../../src/storefront/pages/page-frame.js';

const config = {
  encryptionKey: Buffer.alloc(32, 1),
  previousEncryptionKey: null,
  platformDomain: 'shops.example',
  publicUrl: 'https://api.example',
} as AppConfig;

/** What the services of the pages use of their own: nothing in it reads or writes a database. */
const url = { base: () => 'https://api.example' } as PublicUrl;
const assets = new Assets();
export const pageLinks = new PageLinks(config, url);
export const pageSessions = new PageSessions(config, pageLinks);
export const pageRenderer = new PageRenderer(new Templates(), config, new ShopStyle(assets), assets, url);

export const storefrontFrame = new PageFrame(new Templates(), assets, new ShopStyle(assets), config);

/** A request of a browser that may see the page of an order. */
export function orderVisit(orderId: string, shop: WholeShop): OrderVisit {
  const path = `/shops/${shop.uniqueName}/orders/${orderId}`;
  const base = `/shops/${shop.uniqueName}`;
  const visit = {
    shop: { uniqueName: shop.uniqueName },
    host: 'api.example',
    base,
    root: '',
    path: `/orders/${orderId}`,
  };
  const { language } = shop;
  const basket = { lines: [], serverId: null, nickname: '', code: '' };
  return {
    context: { visit, shop, language, categories: [], basket, pieces: 0 },
    ...{ orderId, path, address: `https://api.example${path}` },
    device: { name: 'Firefox on Linux', address: '192.0.2.7', language },
  };
}

/** A request to a page that the secret of a link has opened. The reader takes the language of the shop, or else English. */
export function visitWith(secret: string, fields: Partial<Visit> = {}): Visit {
  return {
    secret,
    formToken: 'form token',
    device: { name: 'Firefox on Linux', address: '192.0.2.7', language: 'en' },
    languageIn: (ofShop) => ofShop ?? 'en',
    ...fields,
  };
}

/** @throws Error when the response is a redirection */
export function shownBy(response: PageResponse): ShownPage {
  if ('location' in response) throw new Error(`The response leads to ${response.location}`);
  return response;
}

/** The secret that a redirection keeps in a cookie for a page; null: it sets no cookie for this page. */
export function openedBy({ opened }: Redirection, place: string): string | null {
  const cookie = `page=${encodeURIComponent(opened?.value ?? '')}`;
  return pageSessions.read(place, cookie)?.secret ?? null;
}

/** The text of an element with an id, or of the first one with a role. */
export function textOf(html: string, where: string): string {
  const [, text = ''] = new RegExp(`(?:id|role)="${where}"[^>]*>([^<]*)<`).exec(html) ?? [];
  return text.trim();
}
