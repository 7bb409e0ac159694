import { Injectable } from '@nestjs/common';
import { MAX_TEMPLATES } from '../../catalogue/commands/command-list.types.js';
import { hasTooManyCommands, MAX_COMMANDS } from '../../catalogue/commands/command-template.js';
import { CommandsService } from '../../catalogue/commands/commands.service.js';
import { ERROR_CATALOGUE } from '../../domain/errors/error-catalogue.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { type MinorUnits } from '../../lib/money/money.js';
import { newObjectId } from '../../lib/ids/object-id.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type OrderItem } from '../order/order.types.js';
import { OrdersService } from '../order/orders.service.js';
import { ProductsService } from '../../catalogue/products/products.service.js';
import { ServersService } from '../../catalogue/servers/servers.service.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { lineProblems, type OrderLine, type PricedLines, priceLines, subtotalOf } from './basket-rules.js';

const UNKNOWN_SERVER: OrderProblem = { code: 'server_not_found', message: ERROR_CATALOGUE.server_not_found.message };

/** What a buyer requests. A quote may leave open what a checkout needs. */
export interface Basket {
  readonly items: readonly OrderLine[];
  /** null: not known yet. */
  readonly serverId: string | null;
  /** null: not known yet. */
  readonly nickname: string | null;
}

export interface PricedBasket extends PricedLines {
  readonly subtotalMinor: MinorUnits;
}

/** Prices baskets from the catalogue, and checks what depends only on the settings of the shop. */
@Injectable()
export class BasketsService {
  constructor(
    private readonly orders: OrdersService,
    private readonly products: ProductsService,
    private readonly servers: ServersService,
    private readonly commands: CommandsService,
  ) {}

  /** @throws AppError validation_failed when the basket names a product twice */
  async price(shop: Shop, { items: lines, serverId, nickname }: Basket): Promise<PricedBasket> {
    requireValid(lineProblems(lines));
    const productIds = lines.map(({ productId }) => productId);
    const [products, hasServer] = await Promise.all([
      this.products.byIds(shop.id, productIds),
      serverId === null || this.servers.hasAll(shop.id, [serverId]),
    ]);
    const { items, limits, problems } = priceLines(lines, products, serverId);
    return {
      items,
      limits,
      subtotalMinor: subtotalOf(items),
      problems: [
        ...(hasServer ? [] : [UNKNOWN_SERVER]),
        ...problems,
        ...(await this.commandProblems(shop.id, items)),
        ...(await this.nicknameProblems(shop, items, nickname)),
      ],
    };
  }

  private async commandProblems(shopId: string, items: readonly OrderItem[]): Promise<OrderProblem[]> {
    // Of fewer units no list is too long, so most checkouts read none here.
    const repeated = items.filter(({ quantity }) => quantity * MAX_TEMPLATES > MAX_COMMANDS);
    const listIds = repeated.map(({ commandListId }) => commandListId);
    const commandsOf = await this.commands.ofLists(shopId, listIds, null);
    const tooMany = repeated.filter((item) => hasTooManyCommands(commandsOf(item.commandListId), item.quantity));
    return tooMany.map(({ productId, name }) => ({
      code: 'quantity_not_allowed',
      message: `The game server cannot run more than ${MAX_COMMANDS} commands for one item: order fewer of ${name}`,
      productId,
    }));
  }

  private async nicknameProblems(
    { id: shopId, nicknameRule }: Shop,
    items: readonly OrderItem[],
    nickname: string | null,
  ): Promise<OrderProblem[]> {
    if (nickname === null) return [];
    const message = await this.orders.nicknameProblem({ id: newObjectId(), shopId, nickname, items }, nicknameRule);
    return message === null ? [] : [{ code: 'nickname_not_allowed', message }];
  }
}
