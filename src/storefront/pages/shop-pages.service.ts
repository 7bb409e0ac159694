import { Injectable } from '@nestjs/common';
import { type ListedProduct, type StorefrontFilter } from '../../catalogue/products/product.types.js';
import { PublicCatalogueService } from '../../catalogue/products/public-catalogue.service.js';
import { type ListedServer } from '../../catalogue/servers/servers.service.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { formatTime } from '../../lib/formats/formats.js';
import { renderMarkdown } from '../../lib/formats/markdown.js';
import { LIST_POSITIONS } from '../../lib/paging/numbered-position.js';
import { decodeCursor, type Page } from '../../lib/paging/page.js';
import { LEGAL_PAGES, type WholeShop } from '../../shops/shops/shop.types.js';
import { homeParts } from './home-parts.js';
import { categoryPath, mailTo, PageFrame, type PageLink } from './page-frame.js';
import { moreImages } from './pictures.js';
import { productFacts } from './product-facts.js';
import { comparisonOf, productPath, productView } from './product-view.js';
import { type ShopContext } from './shop-visits.service.js';
import { StartPanelsService } from './start-panels.service.js';
import { STOREFRONT_COPY } from './storefront-copy.js';
import { type StorefrontPage } from './storefront-page.js';

/** As many as a shop can have: the start page counts them by category. */
const ALL_PRODUCTS = 1_000;
const PER_PAGE = 240;
const MAX_WORDS = 100;
const NO_SALES = { purchases: null, buyers: null, goal: null };

/** The pages on which visitors look around. */
@Injectable()
export class ShopPagesService {
  constructor(
    private readonly catalogue: PublicCatalogueService,
    private readonly panels: StartPanelsService,
    private readonly frame: PageFrame,
  ) {}

  async home(context: ShopContext): Promise<StorefrontPage> {
    const { shop } = context;
    if (!shop.isActive) return this.closed(context);
    const { items: products } = await this.list(shop, {}, null, ALL_PRODUCTS);
    if (products.length === 0) return this.empty(context);
    const shows = (...parts: typeof shop.parts): boolean => parts.some((part) => shop.parts.includes(part));
    const [servers, sales] = await Promise.all([
      shows('servers', 'hero') ? this.panels.serversOf(shop.id) : [],
      shows('monthly_goal', 'recent_purchases', 'top_buyers') ? this.panels.salesOf(shop) : NO_SALES,
    ]);
    const parts = homeParts(context, { products, servers, sales }, this.frame.displayOf(context), new Date());
    const content = {
      title: shop.displayName,
      description: shop.hero.text ?? STOREFRONT_COPY[context.language].lead,
      canonicalPath: '/',
    };
    return this.frame.render('home', context, content, parts);
  }

  /** @param slug or id @throws AppError category_not_found */
  async category(context: ShopContext, slug: string, after: unknown): Promise<StorefrontPage> {
    const { shop, categories } = context;
    if (!shop.isActive) return this.closed(context);
    const found = categories.find((one) => one.slug === slug) ?? categories.find(({ id }) => id === slug.toLowerCase());
    const category = orNotFound(found ?? null, 'category_not_found');
    const page = await this.list(shop, { categoryId: category.id }, after, PER_PAGE);
    const { url, copy } = this.frame.displayOf(context);
    const parent = categories.find(({ id }) => id === category.parentId);
    const path = categoryPath(category);
    const content = {
      title: category.name,
      description: plainText(category.description),
      canonicalPath: path,
      imageId: category.imageId ?? undefined,
      categoryId: parent?.id ?? category.id,
    };
    return this.frame.render('list', context, content, {
      ...this.listValues(context, page, path),
      crumbs: [
        { label: copy.home, url: url('/') },
        ...(parent === undefined ? [] : [{ label: parent.name, url: url(categoryPath(parent)) }]),
        { label: category.name, url: '' },
      ],
      heading: category.name,
      headingLang: ownLanguage(context),
      descriptionHtml: renderMarkdown(category.description),
      parts: categories
        .filter(({ parentId }) => parentId === category.id)
        .map((part): PageLink => ({ label: part.name, url: url(categoryPath(part)) })),
      nothing: copy.noProducts,
      words: '',
    });
  }

  /** All products, or those that words find. */
  async search(context: ShopContext, q: unknown, after: unknown): Promise<StorefrontPage> {
    const { shop, language } = context;
    if (!shop.isActive) return this.closed(context);
    const words = typeof q === 'string' ? q.trim().slice(0, MAX_WORDS) : '';
    const page = await this.list(shop, words === '' ? {} : { q: words }, after, PER_PAGE);
    const { url, copy } = this.frame.displayOf(context);
    const heading = words === '' ? copy.allProducts : copy.results(words);
    return this.frame.render(
      'list',
      context,
      { title: heading },
      {
        ...this.listValues(context, page, `/search`, words),
        crumbs: [
          { label: copy.home, url: url('/') },
          { label: copy.search, url: '' },
        ],
        heading,
        headingLang: language,
        descriptionHtml: '',
        parts: [],
        nothing: copy.nothingFound,
        words,
      },
    );
  }

  /** @param slug or id @throws AppError product_not_found */
  async product(context: ShopContext, slug: string): Promise<StorefrontPage> {
    const { shop, categories } = context;
    if (!shop.isActive) return this.closed(context);
    const product = (await this.catalogue.productOf(shop, slug)).build();
    const category = categories.find(({ id }) => id === product.categoryId);
    const [servers, siblings] = await Promise.all([
      this.panels.serversOf(shop.id),
      category === undefined
        ? []
        : this.list(shop, { categoryId: category.id }, null, PER_PAGE).then((page) => page.items),
    ]);
    const required = await this.requiredFor(context, product);
    const display = this.frame.displayOf(context);
    const { url, copy } = display;
    const view = productView(product, display, 640);
    const content = {
      title: product.name,
      description: product.summary ?? plainText(product.description),
      canonicalPath: productPath(product),
      ogType: 'product' as const,
      imageId: product.imageIds[0],
      categoryId: category?.parentId ?? category?.id ?? null,
    };
    return this.frame.render('product', context, content, {
      crumbs: [
        { label: copy.home, url: url('/') },
        ...(category === undefined ? [] : [{ label: category.name, url: url(categoryPath(category)) }]),
        { label: product.name, url: '' },
      ],
      product: view,
      images: moreImages(product.imageIds, display),
      servers: serversOf(product, servers),
      taxNote: shop.seller.taxNote ?? '',
      descriptionHtml: renderMarkdown(product.description),
      facts: productFacts(product, servers, required, copy),
      comparison: category === undefined ? null : comparisonOf(product, { ...category, products: siblings }, display),
    });
  }

  /** A legal page that the shop has written. @throws AppError page_not_found */
  legal(context: ShopContext, name: string): StorefrontPage {
    const page = LEGAL_PAGES.find((one) => one === name);
    const text = page === undefined ? null : (context.shop.legalPages[page]?.text ?? null);
    const title = STOREFRONT_COPY[context.language][page ?? 'legal'];
    const content = { title, canonicalPath: `/legal/${name}` };
    const values = { heading: title, descriptionHtml: renderMarkdown(orNotFound(text, 'page_not_found')) };
    return this.frame.render('text', context, content, values);
  }

  /** The addresses that search engines may keep, as a sitemap (https://www.sitemaps.org/protocol.html). */
  async sitemap({ shop, categories }: ShopContext): Promise<string> {
    const products = shop.isActive ? (await this.list(shop, {}, null, ALL_PRODUCTS)).items : [];
    const paths = ['/', ...categories.map(categoryPath), ...products.map(productPath)];
    const address = this.frame.addressOf(shop);
    const entries = paths.map((path) => `<url><loc>${address}${path}</loc></url>`);
    return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`;
  }

  /** What programs that visit all pages may read. */
  robots({ shop, visit }: ShopContext): string {
    const lines = [
      'User-agent: *',
      `Disallow: ${visit.base}/search`,
      `Disallow: ${visit.base}/basket`,
      `Sitemap: ${this.frame.addressOf(shop)}/sitemap.xml`,
    ];
    return `${lines.join('\n')}\n`;
  }

  private closed(context: ShopContext): StorefrontPage {
    const { shop, language, visit } = context;
    const copy = STOREFRONT_COPY[language];
    const { supportEmail: email } = shop;
    const title = copy.closedTitle(shop.displayName);
    return this.frame.render(
      'plain',
      context,
      { title },
      {
        picture: this.frame.picture(visit, 'crate.svg'),
        heading: title,
        text: shop.closedText ?? copy.closedText,
        small: '',
        actions: email === null ? [] : [{ label: copy.writeUs, url: mailTo(email) }],
      },
    );
  }

  private empty(context: ShopContext): StorefrontPage {
    const { shop, language, visit } = context;
    const copy = STOREFRONT_COPY[language];
    const content = { title: shop.displayName, canonicalPath: '/' };
    const values = { heading: copy.emptyTitle, text: copy.emptyText, small: '', actions: [] };
    return this.frame.render('plain', context, content, {
      ...values,
      picture: this.frame.picture(visit, 'island.svg'),
    });
  }

  /** The names of what the player of a product must own, as far as everybody may see it. */
  private async requiredFor({ shop, language }: ShopContext, { requires }: ListedProduct): Promise<string | null> {
    if (requires === null) return null;
    const found = await this.catalogue.productsOf(shop, requires.productIds);
    const type = requires.mode === 'all' ? 'conjunction' : 'disjunction';
    const names = [...found.values()].map(({ name }) => name);
    return names.length === 0 ? null : new Intl.ListFormat(language, { type }).format(names);
  }

  private async list(
    shop: WholeShop,
    filter: StorefrontFilter,
    after: unknown,
    limit: number,
  ): Promise<Page<ListedProduct>> {
    // Only we write such positions, so another text is the first page.
    const position = typeof after === 'string' ? decodeCursor(after, LIST_POSITIONS.bytes) : null;
    return (await this.catalogue.listProducts(shop, filter, { after: position, limit })).build();
  }

  private listValues(context: ShopContext, page: Page<ListedProduct>, path: string, words = '') {
    const display = this.frame.displayOf(context);
    const { language, copy, timezone } = display;
    const running = page.items.flatMap(({ reduction }) => (reduction === null ? [] : [reduction.sale]));
    const sales = [...new Map(running.map((sale) => [sale.id, sale])).values()];
    const next = new URLSearchParams({ ...(words !== '' && { q: words }), after: page.nextCursor ?? '' });
    return {
      cards: page.items.map((product) => productView(product, display)),
      sales: sales.map(({ name, endsAt }) => ({
        name,
        text: endsAt === null ? '' : copy.saleUntil(formatTime(endsAt, timezone, language)),
      })),
      more: page.nextCursor === null ? '' : `${display.url(path)}?${next.toString()}`,
    };
  }
}

/** The servers among which a buyer of a product can choose. */
function serversOf({ serverIds }: ListedProduct, servers: readonly ListedServer[]) {
  const selling = servers.filter(({ server }) => serverIds.length === 0 || serverIds.includes(server.id));
  return selling.map(({ server: { id, name } }) => ({ id, name }));
}

const MAX_DESCRIPTION = 160;

/** The beginning of a Markdown text as one line, for descriptions of pages. */
function plainText(markdown: string): string {
  const text = markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION - 1)}…` : text;
}

const ownLanguage = ({ shop }: ShopContext): string => shop.lang ?? shop.language;
