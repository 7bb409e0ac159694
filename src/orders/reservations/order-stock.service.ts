import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { type LockName, lockOn } from '../../domain/limits/lock-names.js';
import { shardOf } from '../../infrastructure/database/shards.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type ProductQuantity } from '../../catalogue/products/product.types.js';
import { ProductsService } from '../../catalogue/products/products.service.js';
import { type OrderProblem, requireNoProblem } from '../order/order-problem.js';
import { type OrderUnits, OrderStockRepository } from './order-stock.repository.js';
import { type Order, type OrderItem } from '../order/order.types.js';
import { type PlacedOrder, type Reservation, type ReservationRequest } from './reservation.js';

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

  async release(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<void> {
    const taken = await this.orders.unitsOf(shopId, orderIds, transaction);
    for (const units of perProduct(taken)) await this.products.releaseStock(shopId, units, transaction);
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
