import { type ListedServer } from '../../catalogue/servers/servers.service.js';
import { type ListedProduct } from '../../catalogue/products/product.types.js';
import { type PagePart } from '../../shops/shops/storefront.types.js';
import { figureOf } from './figures.js';
import { buyersView, goalView, playingNow, purchasesView, serversView } from './home-view.js';
import { ICONS } from '../../shops/look/icons.js';
import { categoryPath } from './page-frame.js';
import { pictureOf } from './pictures.js';
import { productView, type ProductDisplay } from './product-view.js';
import { type ShopContext } from './shop-visits.service.js';
import { type SalesPanels } from './start-panels.service.js';

/** How many products the start page shows when the owner has marked none. */
const UNMARKED = 6;
const MAX_FEATURED = 12;

/** What the start page shows. */
export interface HomeContents {
  readonly products: readonly ListedProduct[];
  readonly servers: readonly ListedServer[];
  readonly sales: SalesPanels;
}

/** The parts of the start page: `main` and `side` in the order that the owner has chosen. A part without content is not among them. */
export function homeParts(context: ShopContext, contents: HomeContents, display: ProductDisplay, now: Date) {
  const { shop } = context;
  const { servers, sales } = contents;
  const main: Partial<Record<PagePart, () => object | null>> = {
    categories: () => categoriesPart(context, contents, display),
    featured: () => featuredPart(contents, display),
    how_it_works: () => howPart(display),
  };
  const side: Partial<Record<PagePart, () => object | null>> = {
    monthly_goal: () => sales.goal && goalView(sales.goal, shop, display),
    servers: () => (servers.length === 0 ? null : serversView(servers, display, now)),
    recent_purchases: () => (sales.purchases?.length ? purchasesView(sales.purchases, display, now) : null),
    top_buyers: () => (sales.buyers?.length ? buyersView(sales.buyers, display) : null),
  };
  const shown = (parts: typeof main): object[] =>
    shop.parts.flatMap((name) => {
      const part = parts[name]?.() ?? null;
      return part === null ? [] : [part];
    });
  return {
    hero: shop.parts.includes('hero') ? heroOf(context, servers, display) : null,
    parts: shown(main),
    side: shown(side),
  };
}

function heroOf(
  { shop, language, categories }: ShopContext,
  servers: readonly ListedServer[],
  display: ProductDisplay,
) {
  const { title, text, links } = shop.hero;
  const { copy, url } = display;
  const { imageId } = shop.hero;
  const [first] = categories;
  const ours = [
    { label: copy.toProducts, url: first === undefined ? url('/search') : url(categoryPath(first)) },
    ...(shop.parts.includes('how_it_works') ? [{ label: copy.howItWorks, url: '#how' }] : []),
  ];
  return {
    playing: playingNow(servers, copy),
    title: title ?? copy.welcome(shop.displayName),
    text: text ?? copy.lead,
    lang: title === null && text === null ? language : (shop.lang ?? shop.language),
    links: links.length > 0 ? links : ours,
    picture: pictureOf(imageId === null ? [] : [imageId], 'hero.svg', 640, display),
  };
}

function categoriesPart({ categories }: ShopContext, { products }: HomeContents, display: ProductDisplay) {
  const { copy, url } = display;
  const shown = categories
    .filter(({ parentId }) => parentId === null)
    .flatMap((category) => {
      const ids = [category, ...categories.filter(({ parentId }) => parentId === category.id)].map(({ id }) => id);
      const count = products.filter(({ categoryId }) => categoryId !== null && ids.includes(categoryId)).length;
      if (count === 0) return [];
      const { file, hue } = figureOf(category.id, category.name);
      return [
        {
          name: category.name,
          url: url(categoryPath(category)),
          count: copy.products(count),
          picture: pictureOf(category.imageId === null ? [] : [category.imageId], file, 320, display),
          hue,
        },
      ];
    });
  return shown.length === 0 ? null : { name: 'categories', categories: shown };
}

function featuredPart({ products }: HomeContents, display: ProductDisplay) {
  const marked = products.filter(({ featured }) => featured);
  const shown = marked.length > 0 ? marked.slice(0, MAX_FEATURED) : products.slice(0, UNMARKED);
  return {
    name: 'featured',
    title: marked.length > 0 ? display.copy.popular : display.copy.allProducts,
    all: shown.length < products.length ? display.url('/search') : '',
    cards: shown.map((product) => productView(product, display)),
  };
}

function howPart({ copy }: ProductDisplay) {
  return {
    name: 'how_it_works',
    steps: [
      { icon: ICONS.tag, title: copy.stepChoose, text: copy.stepChooseText },
      { icon: ICONS.person, title: copy.stepName, text: copy.stepNameText },
      { icon: ICONS.bolt, title: copy.stepFind, text: copy.stepFindText },
    ],
  };
}
