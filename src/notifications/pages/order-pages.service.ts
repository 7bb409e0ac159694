import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { PAGE_PATHS, PageLinks } from '../../http/addresses/page-links.js';
import { type Language } from '../../lib/formats/languages.js';
import { MAX_NICKNAME_LENGTH } from '../../domain/buyers/nickname-pattern.js';
import { isObjectId } from '../../lib/ids/object-id.js';
import { ChangeNicknameDto } from '../../orders/nickname-changes/dto/change-nickname.dto.js';
import { type Requester } from '../../orders/nickname-changes/nickname-code.types.js';
import { NicknameChangesService } from '../../orders/nickname-changes/nickname-changes.service.js';
import { shownNumber } from '../../orders/order/order-rules.js';
import { type Order } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { type BuyerOrder, BuyerOrdersService } from '../../payments/buyer-orders/buyer-orders.service.js';
import { CreatePaymentDto } from '../../payments/payments/dto/create-payment.dto.js';
import { PaymentsService } from '../../payments/payments/payments.service.js';
import { ORDER_PAGE_COPY, type OrderPageCopy } from './order-page-copy.js';
import { orderPageView, orderProblem } from './order-page-view.js';
import { type PageResponse, type Redirection, type ShownPage } from './page-response.js';
import { type FormFields, readForm, shownAgain } from './page-form.js';
import { problemOf } from './page-problem.js';
import { PageRenderer } from './page-renderer.js';
import { PageSessions } from './page-sessions.js';
import { type Visit } from './visit.js';

/** The actions of the page; each is the last segment of a path. */
export const ORDER_ACTIONS = { pay: 'payment', requestCode: 'nickname-code', rename: 'nickname' } as const;

/** The path of an order's page below the prefix of the API. */
export function orderPath(orderId: string): string {
  return `${PAGE_PATHS.orders}/${orderId.toLowerCase()}`;
}

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
    private readonly links: PageLinks,
    private readonly sessions: PageSessions,
    private readonly renderer: PageRenderer,
  ) {}

  /**
   * Exchanges the secret of a link for a cookie. The response to a form can have the path of its action; a browser that loads
   * this path again is redirected to the page.
   * @throws AppError page_not_found, the same for a wrong secret, another order's and a malformed id
   */
  open(orderId: string, secret: string): Redirection {
    const path = orderPath(orderId);
    const location = this.links.pathOf(path);
    if (Object.values<string>(ORDER_ACTIONS).includes(secret)) return { location };
    const isOpened = isObjectId(orderId) && this.links.isSecretOf(orderId.toLowerCase(), secret);
    if (!isOpened) throw new AppError('page_not_found');
    return { location, opened: this.sessions.open(path, orderId.toLowerCase()) };
  }

  /** @param done what the form before has done @param form the form that the reader has opened @throws AppError page_not_found */
  async show(visit: Visit, done: string | undefined, form?: string): Promise<ShownPage> {
    return this.render(visit, await this.load(visit), null, done, form === 'nickname' || done === 'code');
  }

  /** Creates a payment and sends the buyer there. @throws AppError page_not_found */
  pay(visit: Visit, form: FormFields): Promise<PageResponse> {
    return this.attempt(visit, form, async ({ order, shop, language, copy }) => {
      const { confirmSecondPayment: confirmed, ...rest } = form;
      // A form has only strings.
      const fields = { ...rest, confirmSecondPayment: confirmed === 'true' };
      const { provider, confirmSecondPayment } = await readForm(CreatePaymentDto, fields);
      const page = this.links.to(orderPath(order.id));
      const { url } = await this.payments.createFor(order, { provider, confirmSecondPayment }, page);
      // A shop can name any address as its payment page.
      if (!/^https?:\/\//.test(url)) throw new AppError('provider_unavailable');
      // Not a redirection: browsers restrict redirections of a form to `form-action`, which allows no other origin.
      return this.renderer.render(
        'forward',
        200,
        { language, shop, title: copy.forwardTitle },
        { forward: url, copy, page },
      );
    });
  }

  /** Sends a code to the email address of the order. @throws AppError page_not_found */
  requestCode(visit: Visit): Promise<PageResponse> {
    return this.attempt(visit, {}, async ({ order }) => {
      await this.nicknames.request(order.id, requesterOf(visit));
      return this.backTo(order, 'code');
    });
  }

  /** Changes the nickname with the code. @throws AppError page_not_found */
  rename(visit: Visit, form: FormFields): Promise<PageResponse> {
    return this.attempt(visit, form, async ({ order }) => {
      const { verificationCode, newNickname } = await readForm(ChangeNicknameDto, form);
      try {
        await this.nicknames.change(order.id, requesterOf(visit), verificationCode, newNickname);
      } catch (error) {
        if (!(await this.wasRenamed(order.id, newNickname, error))) throw error;
      }
      return this.backTo(order, 'name');
    });
  }

  /** Whether a form failed only because it was sent twice: the first one has used the code and changed the nickname. */
  private async wasRenamed(orderId: string, nickname: string, error: unknown): Promise<boolean> {
    if (!(error instanceof AppError) || error.code !== 'verification_code_invalid') return false;
    return (await this.orders.findPublic(orderId, null))?.nickname === nickname;
  }

  private backTo(order: Order, done: 'code' | 'name'): Redirection {
    return { location: `${this.links.pathOf(orderPath(order.id))}?done=${done}` };
  }

  private async load(visit: Visit): Promise<OrderView> {
    const seen = orNotFound(await this.buyerOrders.findPublic(visit.secret), 'page_not_found');
    const language = visit.languageIn(seen.shop.language);
    return { ...seen, language, copy: ORDER_PAGE_COPY[language] };
  }

  /** Handles a form. An error that the buyer can correct is shown on the page, with what was entered. */
  private async attempt(
    visit: Visit,
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
    visit: Visit,
    seen: OrderView,
    mistake: Mistake | null,
    done: string | undefined,
    isOpen = done === 'code' || mistake?.entered['verificationCode'] !== undefined,
  ): Promise<ShownPage> {
    const { order, shop, language, copy } = seen;
    const active = shop.isActive ? await this.payments.methodsOf(shop.id, order) : [];
    const methods = active.map(({ provider: { name, title } }) => ({ name, title }));
    const sendsCodes = this.nicknames.sendsCodes();
    const view = orderPageView({ ...seen, methods, sendsCodes, now: new Date(), isOpen }, language, copy);
    const notices = new Map([
      ['code', copy.codeSent],
      ['name', copy.changed(order.nickname)],
      ['withdrawal', copy.withdrawalDone],
    ]);
    const frame = {
      language,
      shop,
      title: `${copy.title} ${shownNumber(order)}`,
      problem: mistake?.problem,
      notice: notices.get(done ?? ''),
    };
    return this.renderer.render('order', mistake?.status ?? 200, frame, {
      ...view,
      formToken: visit.formToken,
      shopAddress: this.renderer.addressOf(shop),
      entered: shownAgain(mistake?.entered['newNickname'], MAX_NICKNAME_LENGTH),
      actions: Object.fromEntries(
        Object.entries({ ...ORDER_ACTIONS, withdrawal: 'withdrawal' }).map(([name, end]) => [
          name,
          this.links.pathOf(`${orderPath(order.id)}/${end}`),
        ]),
      ),
    });
  }
}

function requesterOf({ device }: Visit): Requester {
  return { address: device.address, orderToken: undefined, isBuyer: true };
}
