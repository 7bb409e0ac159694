import { Injectable } from '@nestjs/common';
import { isUnreported } from '../../delivery/deliveries/delivery-rules.js';
import { type Delivery } from '../../delivery/deliveries/delivery.types.js';
import { FollowUpsService } from '../../delivery/deliveries/follow-ups.service.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService, type Author } from '../../events/audit/audit.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type LockName, lockOn } from '../../domain/limits/lock-names.js';
import { shardOf } from '../../infrastructure/database/shards.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type ProductQuantity } from '../../catalogue/products/product.types.js';
import { ProductsService } from '../../catalogue/products/products.service.js';
import { moneyHolder, moneyHolderOf } from '../order/order-rules.js';
import { type OrderProblem, requireNoProblem } from '../order/order-problem.js';
import { type OrderUnits, OrderStockRepository } from './order-stock.repository.js';
import { type Order, type OrderItem } from '../order/order.types.js';
import { type FollowedOrder, type PlacedOrder, type Reservation, type ReservationRequest } from './reservation.js';

const outOfStock = ({ productId, name }: Pick<OrderItem, 'productId' | 'name'>, left: number): OrderProblem => ({
  code: 'out_of_stock',
  message: left <= 0 ? `${name} is sold out` : `Only ${left} of ${name} are left`,
  productId,
});

/** The units of products that orders take from the stock. */
@Injectable()
export class OrderStockService implements Reservation {
  constructor(
    private readonly orders: OrderStockRepository,
    private readonly products: ProductsService,
    private readonly deliveries: FollowUpsService,
    private readonly audit: AuditService,
  ) {}

  /** While an order is placed, `take` decides whether there are enough units. */
  async problems(
    shopId: string,
    { items }: ReservationRequest,
    transaction: Transaction | null,
  ): Promise<readonly OrderProblem[]> {
    return transaction === null ? this.shortages(shopId, items, null) : [];
  }

  /** The shards of the counters of the products. */
  names(_shopId: string, { id, items }: ReservationRequest): readonly LockName[] {
    const taking = items.filter(({ takesStock }) => takesStock);
    return taking.map(({ productId }): LockName => `${lockOn('stock', productId)}:${shardOf(id)}`);
  }

  /** @throws AppError out_of_stock, which names the product that is short */
  async take({ shopId, id, items }: PlacedOrder, transaction: Transaction): Promise<void> {
    for (const units of perProduct(items)) {
      const isTaken = await this.products.takeStock(shopId, units, id, transaction);
      if (isTaken) continue;
      const short = items.filter(({ productId }) => productId === units.productId);
      requireNoProblem(await this.shortages(shopId, short, transaction));
      throw new AppError('out_of_stock');
    }
  }

  async settle(
    { shopId, items, status }: PlacedOrder & Pick<Order, 'status'>,
    transaction: Transaction,
  ): Promise<void> {
    if (status !== 'expired') return;
    for (const units of perProduct(items)) await this.products.takeStockLate(shopId, units, transaction);
  }

  async follow(author: Author, order: FollowedOrder, transaction: Transaction): Promise<void> {
    const { shopId } = author;
    const { id, items } = order;
    const money = moneyHolder(order);
    const taking = items.filter(({ takesStock }) => takesStock);
    // Most orders end here, without a command to the database.
    if (taking.length === 0 || money === 'unclear') return;
    const hasMoneyBack = taking.some((item) => moneyHolderOf(order, item) === 'buyer');
    if (!hasMoneyBack && !taking.some(({ restocked }) => restocked === true)) return;
    const restocked = hasMoneyBack ? await this.restockable(shopId, order, transaction) : new Set<number>();
    const changed = items.flatMap((item, position) => {
      const isBack = restocked.has(position) && moneyHolderOf(order, item) === 'buyer';
      return item.takesStock && isBack !== (item.restocked ?? false) ? [{ ...item, position, restocked: isBack }] : [];
    });
    if (changed.length === 0) return;
    const back = changed.filter((item) => item.restocked);
    const again = changed.filter((item) => !item.restocked);
    for (const units of perProduct(back)) await this.products.releaseStock(shopId, units, transaction);
    for (const units of perProduct(again)) await this.products.takeStockLate(shopId, units, transaction);
    const at = new Date();
    const history = changed.map(({ name, quantity, restocked: isBack }) => ({
      at,
      actor: author.principal,
      action: isBack ? 'item_restocked' : 'item_taken_again',
      detail: `${name} x ${quantity}`,
    }));
    await this.orders.setRestocked(shopId, id, changed, history, transaction);
    const writes = changed.map(({ name, quantity, restocked: isBack }) => ({
      action: 'item.restocked' as const,
      subjectId: id,
      changes: changesBetween({ restocked: !isBack }, { restocked: isBack, item: name, quantity }),
    }));
    await this.audit.recordAll(author, writes, transaction);
  }

  async release(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<void> {
    const taken = await this.orders.unitsOf(shopId, orderIds, transaction);
    for (const units of perProduct(taken)) await this.products.releaseStock(shopId, units, transaction);
  }

  /** Which items of an order are in the stock again when their money went back, by their positions. */
  private async restockable(
    shopId: string,
    { id, items }: FollowedOrder,
    transaction: Transaction,
  ): Promise<ReadonlySet<number>> {
    const productIds = items.map(({ productId }) => productId);
    const always = await this.products.restockedOnRefund(shopId, productIds, transaction);
    const deliveries = await this.deliveries.deliveriesOf(shopId, [id], transaction);
    const positions = items.flatMap(({ productId }, position) =>
      always.has(productId) || isUndelivered(deliveries, position) ? [position] : [],
    );
    return new Set(positions);
  }

  private async shortages(
    shopId: string,
    items: readonly OrderItem[],
    transaction: Transaction | null,
  ): Promise<OrderProblem[]> {
    const taking = items.filter(({ takesStock }) => takesStock);
    const ids = taking.map(({ productId }) => productId);
    const left = ids.length === 0 ? new Map<string, number>() : await this.products.stockOf(shopId, ids, transaction);
    return taking.flatMap((item) => {
      const units = left.get(item.productId);
      return units !== undefined && units < item.quantity ? [outOfStock(item, units)] : [];
    });
  }
}

/** Whether nobody has received an item, and no plugin can still report that somebody has. */
export function isUndelivered(
  deliveries: readonly Pick<
    Delivery,
    'kind' | 'position' | 'state' | 'deliveredAt' | 'attempt' | 'acknowledgedAttempt' | 'earlierAttempts' | 'releases'
  >[],
  position: number,
): boolean {
  return deliveries
    .filter((delivery) => delivery.kind === 'purchase' && delivery.position === position)
    .every((purchase) => purchase.deliveredAt === null && purchase.state !== 'uncertain' && !isUnreported(purchase));
}

/** How many units of each product were taken from its stock. */
function perProduct(taken: readonly OrderUnits[]): ProductQuantity[] {
  const units = new Map<string, number>();
  for (const { productId, quantity, takesStock } of taken) {
    if (takesStock) units.set(productId, (units.get(productId) ?? 0) + quantity);
  }
  // In one order for all transactions, so that two of them conflict at the first product, before they have done much.
  const sorted = [...units].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([productId, quantity]) => ({ productId, quantity }));
}
