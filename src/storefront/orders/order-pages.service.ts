import { Injectable } from '@nestjs/common';
import { type ListedProduct } from '../../catalogue/products/product.types.js';
import { PublicCatalogueService } from '../../catalogue/products/public-catalogue.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type Language } from '../../lib/formats/languages.js';
import { MAX_NICKNAME_LENGTH } from '../../domain/buyers/nickname-pattern.js';
import { ChangeNicknameDto } from '../../orders/nickname-changes/dto/change-nickname.dto.js';
import { type Requester } from '../../orders/nickname-changes/nickname-code.types.js';
import { NicknameChangesService } from '../../orders/nickname-changes/nickname-changes.service.js';
import { shownNumber } from '../../orders/order/order-rules.js';
import { type Order } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { type BuyerOrder, BuyerOrdersService } from '../../payments/buyer-orders/buyer-orders.service.js';
import { CreatePaymentDto } from '../../payments/payments/dto/create-payment.dto.js';
import { PaymentsService } from '../../payments/payments/payments.service.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { arrivalPictures } from './order-arrivals.js';
import { ORDER_PAGE_COPY, type OrderPageCopy } from './order-page-copy.js';
import { orderPageView, orderProblem } from './order-page-view.js';
import { type FormFields, readForm, shownAgain } from '../../notifications/pages/page-form.js';
import { problemOf } from '../../notifications/pages/page-problem.js';
import { type PageResponse, type Redirection, type ShownPage } from '../../notifications/pages/page-response.js';
import { BASKET_COPY } from '../basket/basket-copy.js';
import { PageFrame } from '../pages/page-frame.js';
import { type OrderVisit } from './order-visits.service.js';

/** The actions of the page; each is the last segment of a path. */
export const ORDER_ACTIONS = {
  pay: 'payment',
  requestCode: 'nickname-code',
  rename: 'nickname',
  withdrawal: 'withdrawal',
} as const;

/** An order as one reader sees it. */
interface OrderView extends BuyerOrder {
  readonly language: Language;
  readonly copy: OrderPageCopy;
}

/** What went wrong, and what the buyer had entered. */
interface Mistake {
  readonly problem: string;
  readonly status: number;
  readonly entered: FormFields;
}

/** The page with which a buyer sees an order, pays it, and corrects its nickname. All rules are those of the API. */
@Injectable()
export class OrderPagesService {
  constructor(
    private readonly orders: OrdersService,
    private readonly buyerOrders: BuyerOrdersService,
    private readonly payments: PaymentsService,
    private readonly nicknames: NicknameChangesService,
    private readonly catalogue: PublicCatalogueService,
    private readonly frame: PageFrame,
  ) {}

  /** @param done what the form before has done @param form the form that the reader has opened @throws AppError page_not_found */
  async show(visit: OrderVisit, done: string | undefined, form?: string): Promise<ShownPage> {
    return this.render(visit, await this.load(visit), null, done, form === 'nickname' || done === 'code');
  }

  /** Creates a payment and sends the buyer there. @throws AppError page_not_found */
  pay(visit: OrderVisit, form: FormFields): Promise<PageResponse> {
    return this.attempt(visit, form, async ({ order, language }) => {
      const { confirmSecondPayment: confirmed, ...rest } = form;
      // A form has only strings.
      const fields = { ...rest, confirmSecondPayment: confirmed === 'true' };
      const { provider, confirmSecondPayment } = await readForm(CreatePaymentDto, fields);
      const { url } = await this.payments.createFor(order, { provider, confirmSecondPayment }, visit.address);
      // A shop can name any address as its payment page.
      if (!/^https?:\/\//.test(url)) throw new AppError('provider_unavailable');
      // Not a redirection: browsers restrict redirections of a form to `form-action`, which allows no other origin.
      const words = BASKET_COPY[language];
      const page = { title: words.forwardTitle };
      return this.frame.render('forward', visit.context, page, { words, forward: url, orderPage: visit.path });
    });
  }

  /** Sends a code to the email address of the order. @throws AppError page_not_found */
  requestCode(visit: OrderVisit): Promise<PageResponse> {
    return this.attempt(visit, {}, async ({ order }) => {
      await this.nicknames.request(order.id, requesterOf(visit));
      return backTo(visit, 'code');
    });
  }

  /** Changes the nickname with the code. @throws AppError page_not_found */
  rename(visit: OrderVisit, form: FormFields): Promise<PageResponse> {
    return this.attempt(visit, form, async ({ order }) => {
      const { verificationCode, newNickname } = await readForm(ChangeNicknameDto, form);
      try {
        await this.nicknames.change(order.id, requesterOf(visit), verificationCode, newNickname);
      } catch (error) {
        if (!(await this.wasRenamed(order.id, newNickname, error))) throw error;
      }
      return backTo(visit, 'name');
    });
  }

  /** Whether a form failed only because it was sent twice: the first one has used the code and changed the nickname. */
  private async wasRenamed(orderId: string, nickname: string, error: unknown): Promise<boolean> {
    if (!(error instanceof AppError) || error.code !== 'verification_code_invalid') return false;
    return (await this.orders.findPublic(orderId, null))?.nickname === nickname;
  }

  /** What is ordered and still for sale. The catalogue of a closed shop is closed too. */
  private async productsOf(shop: Shop, { items }: Order): Promise<ReadonlyMap<string, ListedProduct>> {
    if (!shop.isActive) return new Map();
    return this.catalogue.productsOf(
      shop,
      items.map(({ productId }) => productId),
    );
  }

  private async load(visit: OrderVisit): Promise<OrderView> {
    const { shop, language } = visit.context;
    const seen = orNotFound(await this.buyerOrders.findPublic(visit.orderId), 'page_not_found');
    if (seen.shop.id !== shop.id) throw new AppError('page_not_found');
    return { ...seen, language, copy: ORDER_PAGE_COPY[language] };
  }

  /** Handles a form. An error that the buyer can correct is shown on the page, with what was entered. */
  private async attempt(
    visit: OrderVisit,
    entered: FormFields,
    act: (view: OrderView) => Promise<PageResponse>,
  ): Promise<PageResponse> {
    const seen = await this.load(visit);
    try {
      return await act(seen);
    } catch (error) {
      const problem = problemOf(error, (code) => orderProblem(code, seen.copy));
      // Read again: the state may be the reason.
      const page = await this.render(visit, await this.load(visit), { ...problem, entered }, undefined);
      return { ...page, error: problem };
    }
  }

  private async render(
    visit: OrderVisit,
    seen: OrderView,
    mistake: Mistake | null,
    done: string | undefined,
    isOpen = done === 'code' || mistake?.entered['verificationCode'] !== undefined,
  ): Promise<ShownPage> {
    const { order, shop, language, copy } = seen;
    const active = shop.isActive ? await this.payments.methodsOf(shop.id, order) : [];
    const methods = active.map(({ provider: { name, title } }) => ({ name, title }));
    const sendsCodes = this.nicknames.sendsCodes();
    const display = this.frame.displayOf(visit.context);
    const pictures = arrivalPictures(order, await this.productsOf(shop, order), display);
    const view = orderPageView({ ...seen, methods, sendsCodes, pictures, now: new Date(), isOpen }, language, copy);
    const notices = new Map([
      ['code', copy.codeSent],
      ['name', copy.changed(order.nickname)],
      ['withdrawal', copy.withdrawalDone],
    ]);
    const page = { title: `${copy.title} ${shownNumber(order)}`, status: mistake?.status ?? 200 };
    return this.frame.render('order', visit.context, page, {
      ...view,
      problem: mistake?.problem ?? '',
      notice: notices.get(done ?? '') ?? '',
      entered: shownAgain(mistake?.entered['newNickname'], MAX_NICKNAME_LENGTH),
      actions: Object.fromEntries(Object.entries(ORDER_ACTIONS).map(([name, end]) => [name, `${visit.path}/${end}`])),
    });
  }
}

function backTo({ path }: OrderVisit, done: 'code' | 'name'): Redirection {
  return { location: `${path}?done=${done}` };
}

function requesterOf({ device }: OrderVisit): Requester {
  return { address: device.address, orderToken: undefined, isBuyer: true };
}
