import { Injectable } from '@nestjs/common';
import { type ListedProduct } from '../../catalogue/products/product.types.js';
import { PublicCatalogueService } from '../../catalogue/products/public-catalogue.service.js';
import { type ListedServer } from '../../catalogue/servers/servers.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { CheckoutService, type Quote } from '../../orders/checkout/checkout.service.js';
import { QuoteRequestDto } from '../../orders/checkout/dto/quote.dto.js';
import { PaymentsService } from '../../payments/payments/payments.service.js';
import { readForm } from '../../notifications/pages/page-form.js';
import { type ShopContext } from '../pages/shop-visits.service.js';
import { StartPanelsService } from '../pages/start-panels.service.js';
import { BASKET_COPY, type BasketCopy } from './basket-copy.js';
import { type PlacedProblem, placedProblem, type ProblemPlace } from './basket-problems.js';
import { type Basket } from './basket-rules.js';
import { type AssessedBasket, type Entered, unusedCreditOf } from './basket-view.js';

/** What a quote may say besides a price: the visitor has not entered anything wrong. */
const PASSING: ReadonlySet<string> = new Set(['rate_limited', 'too_many_at_once', 'service_unavailable']);

const PLACE_OF_FIELD: Readonly<Record<string, ProblemPlace>> = {
  nickname: 'name',
  email: 'email',
  discountCode: 'code',
  serverId: 'server',
};

/** Finds out what a basket costs, and everything that is in its way. */
@Injectable()
export class BasketsService {
  constructor(
    private readonly catalogue: PublicCatalogueService,
    private readonly panels: StartPanelsService,
    private readonly checkout: CheckoutService,
    private readonly payments: PaymentsService,
  ) {}

  /** @param isPaying whether what is not entered is a problem, too @param address of the visitor */
  async assess(
    context: ShopContext,
    before: Basket,
    entered: Entered,
    { isPaying, address }: { readonly isPaying: boolean; readonly address: string },
  ): Promise<AssessedBasket> {
    const { shop, language } = context;
    const { lines } = before;
    if (lines.length === 0) {
      return { basket: before, entered, products: new Map(), servers: [], quote: null, methods: [], problems: [] };
    }
    const copy = BASKET_COPY[language];
    const ids = lines.map(({ productId }) => productId);
    const [products, listed] = await Promise.all([
      this.catalogue.productsOf(shop, ids),
      this.panels.serversOf(shop.id),
    ]);
    const servers = serversFor(before, products, listed);
    const basket = { ...before, serverId: chosenServer(before, servers) };
    const { quote, problems } = await this.quote(shop.id, basket, entered, { isPaying, address }, copy);
    if (
      entered.acceptedCreditMinor !== null &&
      quote !== null &&
      unusedCreditOf(quote) !== entered.acceptedCreditMinor
    ) {
      // A box for two euros is no consent to lose five.
      return this.assess(context, before, { ...entered, acceptedCreditMinor: null }, { isPaying, address });
    }
    const methods = await this.methodsFor(shop.id, quote);
    const missing = isPaying ? missingProblems(basket, entered, { quote, servers, methods }, copy) : [];
    return { basket, entered, products, servers, quote, methods, problems: [...problems, ...missing] };
  }

  /** A field that the API would reject is left out of the quote, and its problem stands at its place. */
  private async quote(
    shopId: string,
    { lines: items, serverId, nickname, code }: Basket,
    { email, consents, acceptedCreditMinor }: Entered,
    { isPaying, address }: { readonly isPaying: boolean; readonly address: string },
    copy: BasketCopy,
  ): Promise<{ quote: Quote | null; problems: PlacedProblem[] }> {
    const filled = { nickname, email, discountCode: code, serverId: serverId ?? '' };
    const fields = Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== ''));
    try {
      // Boxes that are not ticked are a problem only once the visitor wants to pay.
      const acceptUnusedCredit = acceptedCreditMinor !== null;
      const body = { ...fields, items, acceptUnusedCredit, ...(isPaying && { consents }) };
      const { fields: valid, problems } = await validFields(body, copy);
      const quote = await this.checkout.quote(shopId, valid, address);
      return { quote, problems: distinct([...problems, ...quote.problems.map((one) => placedProblem(one, copy))]) };
    } catch (error) {
      if (!(error instanceof AppError) || !PASSING.has(error.code)) throw error;
      return { quote: null, problems: [placedProblem({ code: error.code, message: error.message }, copy)] };
    }
  }

  private async methodsFor(shopId: string, quote: Quote | null): Promise<AssessedBasket['methods']> {
    if (quote === null || quote.totalMinor === 0) return [];
    const accounts = await this.payments.methodsOf(shopId, quote);
    return accounts.map(({ provider: { name, title } }) => ({ name, title }));
  }
}

/** Several problems of the API can be one for the visitor. */
function distinct(problems: readonly PlacedProblem[]): PlacedProblem[] {
  const isSame = (a: PlacedProblem, b: PlacedProblem): boolean =>
    a.place === b.place && a.productId === b.productId && a.text === b.text;
  return problems.filter((one, index) => problems.findIndex((other) => isSame(one, other)) === index);
}

/** Reads the fields as the API does, without those that it rejects. */
async function validFields(
  body: Readonly<Record<string, unknown>>,
  copy: BasketCopy,
): Promise<{ fields: QuoteRequestDto; problems: PlacedProblem[] }> {
  try {
    return { fields: await readForm(QuoteRequestDto, body), problems: [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error;
    const named = JSON.parse(error.headers['X-Error-Fields'] ?? '[]') as readonly { readonly field: string }[];
    const wrong = [...new Set(named.map(({ field }) => field))].filter((field) => field in PLACE_OF_FIELD);
    if (wrong.length === 0) throw error;
    const rest = Object.fromEntries(Object.entries(body).filter(([field]) => !wrong.includes(field)));
    const texts: Readonly<Partial<Record<ProblemPlace, string>>> = {
      ...{ name: copy.problemName, email: copy.problemEmail, code: copy.codeNotFound, server: copy.problemServerGone },
    };
    const problems = wrong.map((field): PlacedProblem => {
      const place = PLACE_OF_FIELD[field] ?? 'pay';
      return { place, text: texts[place] ?? copy.problemForm };
    });
    return { fields: await readForm(QuoteRequestDto, rest), problems };
  }
}

/** The servers that sell everything in a basket; all that sell any of it where no server sells everything. */
function serversFor(
  { lines }: Basket,
  products: ReadonlyMap<string, ListedProduct>,
  servers: readonly ListedServer[],
): readonly ListedServer[] {
  const sells = (serverId: string, productId: string): boolean => {
    const serverIds = products.get(productId)?.serverIds ?? [];
    return serverIds.length === 0 || serverIds.includes(serverId);
  };
  const all = servers.filter(({ server }) => lines.every(({ productId }) => sells(server.id, productId)));
  return all.length > 0 ? all : servers;
}

/** The server of an order: the one that the visitor has chosen, or the only one that there is. */
function chosenServer({ serverId }: Basket, servers: readonly ListedServer[]): string | null {
  const [only, ...others] = servers;
  if (only !== undefined && others.length === 0) return only.server.id;
  return servers.some(({ server }) => server.id === serverId) ? serverId : null;
}

/** What the visitor has not entered yet, and an order needs. */
function missingProblems(
  { serverId, nickname }: Basket,
  { email, provider }: Entered,
  { quote, servers, methods }: Pick<AssessedBasket, 'quote' | 'servers' | 'methods'>,
  copy: BasketCopy,
): PlacedProblem[] {
  const problems: (PlacedProblem | false)[] = [
    nickname === '' && { place: 'name', text: copy.problemNameMissing },
    serverId === null && { place: 'server', text: servers.length === 0 ? copy.noServer : copy.problemServer },
    email === '' && { place: 'email', text: copy.problemEmailMissing },
    quote !== null &&
      quote.totalMinor > 0 &&
      !methods.some(({ name }) => name === provider) && { place: 'pay', text: copy.problemMethod },
  ];
  return problems.filter((problem) => problem !== false);
}
