import { Injectable } from '@nestjs/common';
import { CatalogueSnapshotsService } from '../../catalogue/snapshot/catalogue-snapshots.service.js';
import { DeliveryStatusService } from '../fulfilment/delivery-status.service.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { type Creation } from '../../infrastructure/idempotency/creation.js';
import { addLogIds } from '../../infrastructure/logging/log-context.js';
import { locksOnBuyer } from '../../infrastructure/quotas/quotas.service.js';
import { checkedMinor, formatAmount } from '../../lib/money/money.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { checkBasket, lineProblems } from '../checkout/basket-checks.js';
import { requireNoProblem } from '../order/order-problem.js';
import { type Order } from '../order/order.types.js';
import { OrdersService } from '../order/orders.service.js';
import { ReservationsService } from '../reservations/reservations.service.js';
import { type GrantRequest, orderOf, problemsOfAmount, staffCatalogue } from './grant-rules.js';

/** Orders that staff place for players: what they give away, what was paid outside, and rehearsals of a sale. */
@Injectable()
export class GrantsService {
  constructor(
    private readonly shops: ShopsService,
    private readonly snapshots: CatalogueSnapshotsService,
    private readonly orders: OrdersService,
    private readonly reservations: ReservationsService,
    private readonly deliveryStatus: DeliveryStatusService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Places an order that is complete at once, and queues its deliveries. Staff decide: no ban and no limit of a buyer is asked for, and
   * the shop can be closed. What is sold or given away takes its units of the stock.
   * @throws AppError validation_failed, server_not_found, product_not_available, quantity_not_allowed, nickname_not_allowed, out_of_stock
   */
  async place(context: ShopContext, creation: Creation, request: GrantRequest): Promise<Order> {
    const { shopId, principal } = context;
    const { items, serverId, nickname, kind, amount, reason } = request;
    const earlier = creation.isRepeated ? await this.orders.find(shopId, creation.id, null) : null;
    if (earlier !== null) return earlier;
    const shop = await this.shops.settingsOf(shopId);
    const { currency } = shop;
    requireValid([...lineProblems(items), ...problemsOfAmount(request, currency)]);
    const catalogue = staffCatalogue(await this.snapshots.of(shop), items);
    const createdAt = new Date();
    const priced = checkBasket(shop, catalogue, { items, serverId, nickname }, createdAt);
    requireNoProblem(priced.problems);
    const paidMinor = amount === undefined ? priced.subtotalMinor : checkedMinor(amount, currency);
    const draft = orderOf(request, priced, { creation, principal, currency, createdAt, paidMinor });
    const changes = changesBetween(null, { kind, total: formatAmount(draft.totalMinor, currency), reason });
    addLogIds({ orderId: draft.id });
    const number = await this.orders.nextNumber(shopId);
    // The limits of buyers do not apply.
    const held = { ...draft, buyer: draft, discountCode: undefined, limits: [] };
    return this.transactions.run(
      async (transaction) => {
        await this.reservations.take({ ...draft, shopId }, transaction);
        const audited = { action: 'order.placed_by_staff', subjectId: draft.id, changes } as const;
        await this.audit.record(context, audited, transaction);
        const order = await this.orders.insert(shopId, { ...draft, number }, transaction);
        await this.deliveryStatus.queue(context, { ...order, isRehearsal: kind === 'rehearsal' }, transaction);
        return order;
      },
      { oneAtATime: [...locksOnBuyer(shopId, draft), ...this.reservations.names(shopId, held)] },
    );
  }
}
