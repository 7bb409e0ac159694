import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { type BuyerKeys } from '../../platform/buyers/buyer-keys.js';
import { type Transaction } from '../../platform/database/transactions.js';
import { type Pieces } from '../../catalogue/products/product.types.js';
import { ProductsService } from '../../catalogue/products/products.service.js';
import { type OrderProblem, requireNoProblem } from '../order/order-problem.js';
import { type OrderPieces, OrderStockRepository } from './order-stock.repository.js';
import { type BuyerLimit, type NewOrder, type Order, type OrderItem } from '../order/order.types.js';

const outOfStock = ({ productId, name }: Pick<OrderItem, 'productId' | 'name'>, left: number): OrderProblem => ({
  code: 'out_of_stock',
  message: left <= 0 ? `${name} is sold out` : `Only ${left} of ${name} are left`,
  productId,
});

/** The pieces of products that orders take from the stock, and the limits of pieces per buyer. */
@Injectable()
export class OrderStockService {
  constructor(
    private readonly pieces: OrderStockRepository,
    private readonly products: ProductsService,
  ) {}

  /**
   * Why the shop has not enough pieces for an order, or the buyer may not have that many.
   * @param buyer null: not known, so the limits per buyer are not checked
   * @param transaction null: to look, without placing the order. Otherwise `take` decides whether there are enough pieces.
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
      const had = await this.pieces.countPieces(shopId, buyer, productId, transaction);
      if (had + quantity <= maxPerBuyer) continue;
      const message = `One buyer may have at most ${maxPerBuyer} of ${name}, and this one has ${had}`;
      problems.push({ code: 'product_limit_reached', message, productId });
    }
    return problems;
  }

  /**
   * Takes the pieces of a new order, after `problems` in the same transaction.
   * @throws AppError out_of_stock, which names the product that is short
   */
  async take(shopId: string, { id, items }: Pick<NewOrder, 'id' | 'items'>, transaction: Transaction): Promise<void> {
    for (const pieces of perProduct(items)) {
      const isTaken = await this.products.takeStock(shopId, pieces, id, transaction);
      if (isTaken) continue;
      const short = items.filter(({ productId }) => productId === pieces.productId);
      requireNoProblem(await this.shortages(shopId, short, transaction));
      throw new AppError('out_of_stock');
    }
  }

  /** Takes the pieces of an order again that expired before it was paid, even when none is left. */
  async takeLate({ shopId, items }: Order, transaction: Transaction): Promise<void> {
    for (const pieces of perProduct(items)) await this.products.takeStockLate(shopId, pieces, transaction);
  }

  /** Gives back the pieces of orders that ended unpaid. */
  async giveBack(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<void> {
    const taken = await this.pieces.piecesOf(shopId, orderIds, transaction);
    for (const pieces of perProduct(taken)) await this.products.giveStockBack(shopId, pieces, transaction);
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
      const pieces = left.get(item.productId);
      return pieces !== undefined && pieces < item.quantity ? [outOfStock(item, pieces)] : [];
    });
  }
}

/** How many pieces of each product were taken from its stock. */
function perProduct(taken: readonly OrderPieces[]): Pieces[] {
  const pieces = new Map<string, number>();
  for (const { productId, quantity, takesStock } of taken) {
    if (takesStock) pieces.set(productId, (pieces.get(productId) ?? 0) + quantity);
  }
  // In one order for all transactions, so that two of them conflict at the first product, before they have done much.
  const sorted = [...pieces].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([productId, quantity]) => ({ productId, quantity }));
}
