import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type ProductQuantity } from '../../catalogue/products/product.types.js';
import { ProductsService } from '../../catalogue/products/products.service.js';
import { type OrderProblem, requireNoProblem } from '../order/order-problem.js';
import { type OrderUnits, OrderStockRepository } from './order-stock.repository.js';
import { type BuyerLimit, type NewOrder, type Order, type OrderItem } from '../order/order.types.js';

const outOfStock = ({ productId, name }: Pick<OrderItem, 'productId' | 'name'>, left: number): OrderProblem => ({
  code: 'out_of_stock',
  message: left <= 0 ? `${name} is sold out` : `Only ${left} of ${name} are left`,
  productId,
});

/** The units of products that orders take from the stock, and the limits of units per buyer. */
@Injectable()
export class OrderStockService {
  constructor(
    private readonly orders: OrderStockRepository,
    private readonly products: ProductsService,
  ) {}

  /**
   * Why the stock has too few units for an order, or the buyer cannot have that many.
   * @param buyer null when the buyer is not known: then the limits per buyer are not checked
   * @param transaction null for a quote, which places no order. Otherwise `take` decides whether there are enough units.
   */
  async problems(
    shopId: string,
    items: readonly OrderItem[],
    limits: readonly BuyerLimit[],
    buyer: BuyerKeys | null,
    transaction: Transaction | null,
  ): Promise<OrderProblem[]> {
    const problems = transaction === null ? await this.shortages(shopId, items, transaction) : [];
    if (buyer === null) return problems;
    for (const { productId, name, quantity, maxPerBuyer } of limits) {
      const had = await this.orders.countUnits(shopId, buyer, productId, transaction);
      if (had + quantity <= maxPerBuyer) continue;
      const message = `One buyer may have at most ${maxPerBuyer} of ${name}, and this one has ${had}`;
      problems.push({ code: 'product_limit_reached', message, productId });
    }
    return problems;
  }

  /**
   * Takes the units of a new order, after `problems` in the same transaction.
   * @throws AppError out_of_stock, which names the product that is short
   */
  async take(shopId: string, { id, items }: Pick<NewOrder, 'id' | 'items'>, transaction: Transaction): Promise<void> {
    for (const units of perProduct(items)) {
      const isTaken = await this.products.takeStock(shopId, units, id, transaction);
      if (isTaken) continue;
      const short = items.filter(({ productId }) => productId === units.productId);
      requireNoProblem(await this.shortages(shopId, short, transaction));
      throw new AppError('out_of_stock');
    }
  }

  /** Takes the units of an order again that expired before it was paid, even when none is left. */
  async takeLate({ shopId, items }: Order, transaction: Transaction): Promise<void> {
    for (const units of perProduct(items)) await this.products.takeStockLate(shopId, units, transaction);
  }

  /** Gives back the units of orders that ended unpaid. */
  async giveBack(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<void> {
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
