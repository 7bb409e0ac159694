import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { maskedEmail } from '../../domain/buyers/masked-email.js';
import { type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { formatTime } from '../../lib/formats/formats.js';
import { shownNumber } from '../../orders/order/order-rules.js';
import { WithdrawDto } from '../../orders/withdrawals/dto/withdrawal.dto.js';
import { WithdrawalsService } from '../../orders/withdrawals/withdrawals.service.js';
import { type BuyerOrder, BuyerOrdersService } from '../../payments/buyer-orders/buyer-orders.service.js';
import { type FormFields, readForm, shownAgain } from '../../notifications/pages/page-form.js';
import { problemOf } from '../../notifications/pages/page-problem.js';
import { type PageResponse, type ShownPage } from '../../notifications/pages/page-response.js';
import { PageFrame } from '../pages/page-frame.js';
import { type OrderVisit } from './order-visits.service.js';
import { WITHDRAWAL_PAGE_COPY } from './withdrawal-page-copy.js';

/** The longest name of a statement. */
const MAX_NAME = 120;

/** What went wrong, and what the buyer had entered. */
interface Mistake {
  readonly problem: string;
  readonly status: number;
  readonly entered: FormFields;
}

/** The page with which a buyer withdraws from an order, without an account: a link leads there, and a button confirms it. */
@Injectable()
export class WithdrawalPagesService {
  constructor(
    private readonly buyerOrders: BuyerOrdersService,
    private readonly withdrawals: WithdrawalsService,
    private readonly frame: PageFrame,
  ) {}

  /** @throws AppError page_not_found */
  async show(visit: OrderVisit): Promise<ShownPage> {
    return this.render(visit, await this.load(visit), null);
  }

  /** Withdraws, and leads back to the page of the order. @param form with the ticked boxes as a list `items` @throws AppError page_not_found */
  async confirm(visit: OrderVisit, form: FormFields): Promise<PageResponse> {
    const seen = await this.load(visit);
    try {
      await this.withdrawals.withdrawFrom(seen.order, await readForm(WithdrawDto, form));
      return { location: `${visit.path}?done=withdrawal` };
    } catch (error) {
      const copy = WITHDRAWAL_PAGE_COPY[visit.context.language];
      const messages: Partial<Record<ErrorCode, string>> = {
        validation_failed: copy.problemForm,
        withdrawal_ended: copy.problemEnded,
        withdrawal_not_possible: copy.problemNotPossible,
      };
      const problem = problemOf(error, (code) => messages[code]);
      return { ...this.render(visit, seen, { ...problem, entered: form }), error: problem };
    }
  }

  private async load(visit: OrderVisit): Promise<BuyerOrder> {
    const seen = orNotFound(await this.buyerOrders.findPublic(visit.orderId), 'page_not_found');
    if (seen.shop.id !== visit.context.shop.id) throw new AppError('page_not_found');
    return seen;
  }

  private render(visit: OrderVisit, { order, right, shop }: BuyerOrder, mistake: Mistake | null): ShownPage {
    const { language } = visit.context;
    const copy = WITHDRAWAL_PAGE_COPY[language];
    const ticked = mistake?.entered['items'];
    const isTicked = (productId: string): boolean =>
      mistake === null || (Array.isArray(ticked) && ticked.includes(productId));
    const page = { title: copy.title, status: mistake?.status ?? 200 };
    return this.frame.render('withdrawal', visit.context, page, {
      words: copy,
      problem: mistake?.problem ?? '',
      intro: copy.intro(shop.displayName, shownNumber(order)),
      until: right.until === null ? '' : copy.until(formatTime(right.until, shop.timezone, language)),
      email: order.email === null ? '' : copy.email(maskedEmail(order.email)),
      items: order.items
        .filter(({ productId }) => right.productIds.includes(productId))
        .map(({ productId, name, quantity }) => ({ productId, name, quantity, isTicked: isTicked(productId) })),
      entered: shownAgain(mistake?.entered['name'], MAX_NAME),
      page: visit.path,
    });
  }
}
