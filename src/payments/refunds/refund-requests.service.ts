import { Injectable, Logger } from '@nestjs/common';
import { nextAttemptAt } from '../../infrastructure/jobs/backoff.js';
import { PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { ProviderHealthService } from '../accounts/provider-health.service.js';
import { PaymentChecksService } from '../payments/payment-checks.service.js';
import { providerUnavailable } from '../providers/provider-errors.js';
import { knownProvider } from '../providers/provider-registry.js';
import { type NewRefund, type StartedRefund } from '../providers/provider.js';
import { NOT_PERMITTED, requestRefund } from '../providers/refund-requests.js';
import { notRefundable } from './not-refundable.js';
import { RefundOutcomesService } from './refund-outcomes.service.js';
import { findLost, type LostRefund, requestUntil, waitUntil } from './refund-rules.js';
import { OUTSIDE_PROVIDER } from '../../orders/order/payment-event.types.js';
import { NOT_CONFIRMED, type Refund } from './refund.types.js';
import { RefundsRepository } from './refunds.repository.js';

/** Sends a refund to the provider of its payment. */
type RequestRefund = (refund: NewRefund) => Promise<StartedRefund>;

/** Requests stored refunds from their providers, so that each is made once, whatever happens to a response. */
@Injectable()
export class RefundRequestsService {
  private readonly logger = new Logger('Refunds');

  constructor(
    private readonly refunds: RefundsRepository,
    private readonly accounts: PaymentAccountsService,
    private readonly health: ProviderHealthService,
    private readonly payments: PaymentChecksService,
    private readonly outcomes: RefundOutcomesService,
  ) {}

  /**
   * Requests a stored refund that the provider has not made, and stores the response.
   * @returns the refund afterwards
   * @throws AppError provider_unavailable; not_refundable when the shop has switched the provider off
   */
  async request(refund: Refund): Promise<Refund> {
    return this.recordResponse(refund, await this.send(refund));
  }

  /**
   * Requests a stored refund again. When the provider may have forgotten an earlier request, it could pay twice: then it is
   * queried first, and the refund is requested again only if the provider has not made it. The service gives the refund up when nobody
   * can tell. A repeated request of staff can come hours later.
   * @returns the refund afterwards
   * @throws AppError as `request`
   */
  async requestOrGiveUp(refund: Refund): Promise<Refund> {
    if (new Date() < requestUntil(refund)) return this.repeat(refund);
    const found = await this.findAtProvider(refund);
    if (found === 'not_made') return this.request(refund);
    if (found === 'unknown') return this.giveUp(refund);
    const { refundId = null, type, failure = null } = found;
    const state = (['pending', 'succeeded', 'failed'] as const).find((one) => type === `refund.${one}`);
    return this.recordResponse(refund, { refundId, state: state ?? 'pending', failure });
  }

  /** @throws AppError as `request`: then the refund waits, but not for ever */
  private async findAtProvider(refund: Refund): Promise<LostRefund> {
    const { shopId, orderId, provider } = refund;
    if (new Date() >= waitUntil(refund)) return 'unknown';
    // A provider that is switched off reports nothing, which decides nothing.
    await this.requireProvider(shopId, provider);
    const events = await this.payments.refresh(shopId, orderId, provider);
    const reported = events.flatMap(({ payment }) => (payment === null ? [] : [payment]));
    return findLost(refund, await this.refunds.list(shopId, orderId, null), reported);
  }

  private async giveUp(refund: Refund): Promise<Refund> {
    const { id, orderId } = refund;
    const change = { state: 'failed', refundId: null, failure: NOT_CONFIRMED, dueAt: null } as const;
    const recorded = await this.outcomes.record(refund, change);
    if (recorded.failure === NOT_CONFIRMED) {
      this.logger.error(`The provider never confirmed refund ${id} of order ${orderId}: check its dashboard`);
    }
    return recorded;
  }

  private async repeat(refund: Refund): Promise<Refund> {
    const response = await this.send(refund);
    // An earlier request may have been made while the key had the permission. Later a query shows whether it was.
    if (response.failure === NOT_PERMITTED) throw providerUnavailable(refund.provider, 'it permits no refund now');
    return this.recordResponse(refund, response);
  }

  private async send(refund: Refund): Promise<StartedRefund> {
    const requestRefund = await this.requireProvider(refund.shopId, refund.provider);
    return requestRefund(refund);
  }

  private recordResponse(refund: Refund, { refundId, state, failure }: StartedRefund): Promise<Refund> {
    const isFinal = state === 'failed' || refund.provider === OUTSIDE_PROVIDER;
    const dueAt = isFinal ? null : nextAttemptAt(1, new Date());
    return this.outcomes.record(refund, { refundId, state, failure, dueAt });
  }

  /** @throws AppError not_refundable when the provider cannot give money back, or is switched off */
  async requireProvider(shopId: string, provider: string): Promise<RequestRefund> {
    // Staff give such money back themselves, so it is refunded as soon as they say so.
    if (provider === OUTSIDE_PROVIDER) {
      return ({ id }) => Promise.resolve({ refundId: id, state: 'succeeded', failure: null });
    }
    const active = await this.accounts.find(shopId, provider);
    const known = active?.provider ?? knownProvider(provider);
    const send = known?.refund?.bind(known);
    if (send === undefined) {
      throw notRefundable(
        `The provider ${provider} does not accept refunds from this service; refund the payment at the provider`,
      );
    }
    if (active === null)
      throw notRefundable(
        `The shop cannot use the provider ${provider} now: it is switched off, or credentials are missing that its check names`,
      );
    return (refund) => this.health.watch(active, 'refund', () => requestRefund(send, refund, active.account));
  }
}
