import { type ListedProduct } from '../../catalogue/products/product.types.js';
import { formatMoney, formatTime } from '../../lib/formats/formats.js';
import { type Language } from '../../lib/formats/languages.js';
import { toMajor } from '../../lib/money/money.js';
import { figureOf } from './figures.js';
import { type Picture, type PictureAddresses, pictureOf, type ShownSize } from './pictures.js';
import { type StorefrontCopy } from './storefront-copy.js';

/** From how many units on the number that is left is worth a word. */
const FEW = 20;

/** How a page shows products. */
export interface ProductDisplay extends PictureAddresses {
  readonly language: Language;
  readonly copy: StorefrontCopy;
  /** IANA. */
  readonly timezone: string;
  /** The address of a path below the shop. */
  readonly url: (path: string) => string;
}

/** A product as a card or a page shows it; an absent text is empty. */
export interface ProductView {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly summary: string;
  readonly label: string;
  /** What the card says in its corner. */
  readonly flag: string;
  readonly saleFlag: string;
  readonly saleUntil: string;
  readonly price: string;
  readonly before: string;
  /** The lowest price of the 30 days before it was reduced. */
  readonly lowest: string;
  readonly duration: string;
  readonly left: string;
  readonly isSoldOut: boolean;
  readonly picture: Picture;
  readonly hue: number;
  readonly currency: string;
  /** The price in major units, for programs. */
  readonly amount: number;
}

/** The path of a product's page below the shop. */
export const productPath = ({ id, slug }: Pick<ListedProduct, 'id' | 'slug'>): string => `/p/${slug ?? id}`;

/** @param size the longest side of its picture, in pixels of the page */
export function productView(product: ListedProduct, display: ProductDisplay, size: ShownSize = 320): ProductView {
  const { copy, language, timezone } = display;
  const { id, name, summary, label, currency, durationDays, stock, reduction, compareAtPriceMinor } = product;
  const { priorPriceMinor, imageIds } = product;
  const priceMinor = reduction?.priceMinor ?? product.priceMinor;
  const beforeMinor = reduction === null ? compareAtPriceMinor : product.priceMinor;
  const money = (minor: number): string => formatMoney(minor, currency, language);
  const isSoldOut = stock !== null && stock <= 0;
  const left = stock !== null && !isSoldOut && stock <= FEW ? copy.left(stock) : '';
  const percent = percentBelow(priorPriceMinor, priceMinor);
  const endsAt = reduction?.sale.endsAt ?? null;
  const { file, hue } = figureOf(id, name);
  return {
    ...{ id, name, currency, isSoldOut, left, hue },
    url: display.url(productPath(product)),
    summary: summary ?? '',
    label: label ?? '',
    flag: left === '' ? (label ?? '') : left,
    saleFlag: percent > 0 ? copy.percentOff(percent) : '',
    saleUntil: endsAt === null ? '' : copy.saleUntil(formatTime(endsAt, timezone, language)),
    price: priceMinor === 0 ? copy.free : money(priceMinor),
    before: beforeMinor === null ? '' : money(beforeMinor),
    lowest: priorPriceMinor === null ? '' : copy.lowestPrice(money(priorPriceMinor)),
    duration: durationDays === null ? '' : copy.days(durationDays),
    picture: pictureOf(imageIds, file, size, display),
    amount: toMajor(priceMinor, currency),
  };
}

/** The whole percents by which a price is below the lowest one of the 30 days before: laws allow no other percentage. */
function percentBelow(priorMinor: number | null, priceMinor: number): number {
  if (priorMinor === null || priorMinor <= priceMinor) return 0;
  return Math.floor(((priorMinor - priceMinor) * 100) / priorMinor);
}

/** A table in which a product stands beside others of its category. */
export interface Comparison {
  readonly title: string;
  readonly label: string;
  readonly products: readonly (Pick<ProductView, 'name' | 'url' | 'price'> & { readonly isThis: boolean })[];
  /** `values` in the order of `products`; empty: the product has no such fact. */
  readonly rows: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/** More columns than this fit on no screen. */
const MAX_COMPARED = 5;

/**
 * Compares the products of a category by the facts that two or more of them have, in the order of the first product that has any; null when
 * there is nothing to compare.
 */
export function comparisonOf(
  product: ListedProduct,
  category: { readonly name: string; readonly products: readonly ListedProduct[] },
  display: ProductDisplay,
): Comparison | null {
  const withFacts = category.products.filter(({ metadata }) => metadata.length > 0);
  const others = withFacts.filter(({ id }) => id !== product.id).slice(0, MAX_COMPARED - 1);
  const compared = withFacts.filter((one) => one.id === product.id || others.includes(one));
  if (compared.length < 2 || !compared.some(({ id }) => id === product.id)) return null;
  const names = [...new Set(compared.flatMap(({ metadata }) => metadata.map(({ name }) => name)))];
  const valueIn = ({ metadata }: ListedProduct, name: string): string =>
    metadata.find((fact) => fact.name === name)?.value ?? '';
  const rows = names
    .map((name) => ({ name, values: compared.map((one) => valueIn(one, name)) }))
    .filter(({ values }) => values.filter((value) => value !== '').length >= 2);
  if (rows.length === 0) return null;
  return {
    title: display.copy.atAGlance(category.name),
    label: display.copy.comparison(category.name),
    products: compared.map((one) => {
      const { name, url, price } = productView(one, display);
      return { name, url, price, isThis: one.id === product.id };
    }),
    rows,
  };
}
