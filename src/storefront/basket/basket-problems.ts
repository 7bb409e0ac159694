import { type DiscountReasonCode } from '../../catalogue/discounts/discount.types.js';
import { type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { type OrderProblem } from '../../orders/order/order-problem.js';
import { type BasketCopy } from './basket-copy.js';

/** Where a problem stands on the page of a basket, from its top; `line` is about one product. */
export const PROBLEM_PLACES = ['name', 'line', 'server', 'code', 'email', 'pay', 'consents'] as const;
export type ProblemPlace = (typeof PROBLEM_PLACES)[number];

/** Something that must change before the visitor can pay, at its place. */
export interface PlacedProblem {
  readonly place: ProblemPlace;
  /** Only with `line`. */
  readonly productId?: string;
  readonly text: string;
}

/** What the page says about a problem of a quote or an order, in the words of the reader and not in those of the API. */
export function placedProblem({ code, productId, reason }: OrderProblem, copy: BasketCopy): PlacedProblem {
  if (reason !== undefined) return { place: 'code', text: codeProblem(reason.code, copy) };
  const line = productId === undefined ? { place: 'pay' as const } : { place: 'line' as const, productId };
  const known: Partial<Record<ErrorCode, PlacedProblem>> = {
    nickname_not_allowed: { place: 'name', text: copy.problemName },
    buyer_banned: { place: 'name', text: copy.problemBanned },
    server_not_found: { place: 'server', text: copy.problemServerGone },
    product_not_available: { ...line, text: productId === undefined ? copy.problemTogether : copy.problemGone },
    quantity_not_allowed: { ...line, text: copy.problemQuantity },
    not_yet_available: { ...line, text: copy.problemNotYet },
    no_longer_available: { ...line, text: copy.problemGone },
    already_owned: { ...line, text: copy.problemOwned },
    tier_twice: { ...line, text: copy.problemTierTwice },
    tier_held: { ...line, text: copy.problemTierHeld },
    credit_unused: { ...line, text: copy.problemCredit },
    requirement_not_met: { ...line, text: copy.problemRequires },
    out_of_stock: { ...line, text: copy.problemStock },
    product_limit_reached: { ...line, text: copy.problemLimit },
    quota_reached: { place: 'pay', text: copy.problemTooMany },
    amount_not_chargeable: { place: 'pay', text: copy.problemAmount },
    consent_required: { place: 'consents', text: copy.problemConsents },
    price_changed: { place: 'pay', text: copy.priceChanged },
    rate_limited: { place: 'pay', text: copy.problemBusy },
    too_many_at_once: { place: 'pay', text: copy.problemBusy },
    service_unavailable: { place: 'pay', text: copy.problemUnavailable },
    idempotency_in_progress: { place: 'pay', text: copy.problemTwice },
    provider_not_found: { place: 'pay', text: copy.problemMethod },
  };
  return known[code] ?? { ...line, text: copy.problemForm };
}

function codeProblem(code: DiscountReasonCode, copy: BasketCopy): string {
  const texts: Readonly<Record<DiscountReasonCode, string>> = {
    code_not_found: copy.codeNotFound,
    code_disabled: copy.codeEnded,
    not_started: copy.codeNotStarted,
    expired: copy.codeEnded,
    usage_limit_reached: copy.codeUsed,
    buyer_limit_reached: copy.codeYours,
    min_order_not_met: copy.codeMinimum,
    product_not_eligible: copy.codeProduct,
    server_not_eligible: copy.codeServer,
    product_required: copy.codeProduct,
    server_required: copy.codeServer,
    first_purchase_only: copy.codeFirst,
  };
  return texts[code];
}
