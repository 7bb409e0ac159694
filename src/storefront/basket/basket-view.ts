import { type ListedProduct } from '../../catalogue/products/product.types.js';
import { type ListedServer } from '../../catalogue/servers/servers.service.js';
import { formatMoney } from '../../lib/formats/formats.js';
import { type ConsentVersion } from '../../shops/consents/consent.types.js';
import { type Quote } from '../../orders/checkout/checkout.service.js';
import { type NicknameRule } from '../../domain/buyers/nickname-rule.js';
import { pictureOf } from '../pages/pictures.js';
import { type ProductDisplay, productView } from '../pages/product-view.js';
import { type BasketCopy } from './basket-copy.js';
import { type PlacedProblem, PROBLEM_PLACES, type ProblemPlace } from './basket-problems.js';
import { type Basket } from './basket-rules.js';

/** What a form of the basket's page says besides the basket; an absent field is empty. */
export interface Entered {
  readonly email: string;
  readonly provider: string;
  /** The boxes that are ticked. */
  readonly consents: readonly ConsentVersion[];
  /** How much of what was paid for a lower tier the visitor accepts to lose; null: nothing. */
  readonly acceptedCreditMinor: number | null;
}

/** A basket with all that its page shows. */
export interface AssessedBasket {
  readonly basket: Basket;
  readonly entered: Entered;
  readonly products: ReadonlyMap<string, ListedProduct>;
  /** Those among which the visitor can choose. */
  readonly servers: readonly ListedServer[];
  readonly quote: Quote | null;
  readonly methods: readonly { readonly name: string; readonly title: string }[];
  readonly problems: readonly PlacedProblem[];
}

const PLACES: Readonly<Record<Exclude<ProblemPlace, 'line'>, readonly [target: string, label: keyof BasketCopy]>> = {
  name: ['nickname', 'placeName'],
  server: ['server', 'placeServer'],
  code: ['code', 'placeCode'],
  email: ['email', 'placeEmail'],
  pay: ['pay', 'placePay'],
  consents: ['consents', 'placeConsents'],
};

/** The values of the template of a basket. */
export function basketView(assessed: AssessedBasket, display: ProductDisplay, copy: BasketCopy) {
  const { basket, entered, products, servers, quote, methods, problems } = assessed;
  const problemAt = (place: ProblemPlace, productId?: string): string =>
    problems
      .filter((one) => one.place === place && one.productId === productId)
      .map(({ text }) => text)
      .join(' ');
  const lines = basket.lines.map(({ productId, quantity }) => {
    const product = products.get(productId);
    const view = product === undefined ? null : productView(product, display);
    const item = quote?.items.find((one) => one.productId === productId);
    const upgrade = quote?.upgrades.find((one) => one.productId === productId);
    const duration = view?.duration.replace(/^\/ /, '') ?? '';
    const credited = upgrade === undefined ? '' : copy.credited(money(quote, upgrade.creditMinor, display));
    return {
      ...{ id: productId, quantity, less: quantity - 1, more: quantity + 1 },
      name: view?.name ?? copy.gone,
      url: view?.url ?? '',
      picture: view?.picture ?? pictureOf([], 'empty.svg', 320, display),
      hue: view?.hue ?? 0,
      isGone: view === null,
      meta: [duration, credited].filter((part) => part !== '').join(' · '),
      amount: money(quote, item?.totalMinor, display),
      problem: problemAt('line', productId),
    };
  });
  const total = money(quote, quote?.totalMinor, display);
  const isFree = quote?.totalMinor === 0;
  const unusedMinor = quote === null ? 0 : unusedCreditOf(quote);
  return {
    lines,
    entered: { ...entered, nickname: basket.nickname, code: basket.code },
    server: basket.serverId ?? '',
    servers: servers.map(({ server: { id, name } }) => ({ id, name })),
    methods: isFree ? [] : methods,
    consents: (quote?.consents ?? []).map(({ kind, version, statement }) => ({
      ...{ kind, version, statement, isTerms: kind === 'terms' },
      isGiven: entered.consents.some((one) => one.kind === kind && one.version === version),
    })),
    unusedMinor,
    unusedCredit: unusedMinor === 0 ? '' : copy.acceptUnusedCredit(money(quote, unusedMinor, display)),
    isFree,
    canPay: isFree || methods.length > 0,
    subtotal: money(quote, quote?.subtotalMinor, display),
    discount: discountText(quote, display),
    discountLabel: copy.discount(basket.code),
    total,
    payLabel: isFree ? copy.getIt : copy.payAmount(total),
    problems: {
      name: problemAt('name'),
      server: problemAt('server'),
      code: problemAt('code'),
      email: problemAt('email'),
      pay: problemAt('pay'),
      consents: problemAt('consents'),
    },
    summary: summaryOf(problems, products, copy),
    marked: problems.length === 0 ? '' : copy.seeMarked(problems.length),
  };
}

/** What the page says above everything else, with links in the order of the page; null without a problem. */
function summaryOf(problems: readonly PlacedProblem[], products: AssessedBasket['products'], copy: BasketCopy) {
  if (problems.length === 0) return null;
  const positionOf = ({ place }: PlacedProblem): number => PROBLEM_PLACES.indexOf(place);
  const fromTheTop = [...problems].sort((one, other) => positionOf(one) - positionOf(other));
  return { title: copy.problems(problems.length), links: fromTheTop.map((one) => linkTo(one, products, copy)) };
}

function linkTo({ place, productId = '' }: PlacedProblem, products: AssessedBasket['products'], copy: BasketCopy) {
  if (place === 'line') return { url: `#line-${productId}`, label: products.get(productId)?.name ?? copy.gone };
  const [target, label] = PLACES[place];
  return { url: `#${target}`, label: copy[label] as string };
}

/** By how much a basket is cheaper than its products; empty: it is not. */
function discountText(quote: Quote | null, display: ProductDisplay): string {
  if (quote === null || quote.totalMinor === quote.subtotalMinor) return '';
  return `−${money(quote, quote.subtotalMinor - quote.totalMinor, display)}`;
}

/** What was paid for the lower tiers of a basket beyond the prices of the higher ones. */
export function unusedCreditOf({ upgrades }: Quote): number {
  return upgrades.reduce((sum, { unusedMinor }) => sum + unusedMinor, 0);
}

/** An amount of a quote; empty without one. */
function money(quote: Quote | null, minor: number | undefined, { language }: ProductDisplay): string {
  return quote === null || minor === undefined ? '' : formatMoney(minor, quote.currency, language);
}

/** What the rule of the shop says about names, in the words of players. */
export function nameHint({ preset }: NicknameRule, copy: BasketCopy): string {
  if (preset === 'minecraft-java') return copy.nameJava;
  return preset === 'steam64' ? copy.nameSteam : copy.nameRule;
}
