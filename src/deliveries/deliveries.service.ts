import { Injectable } from '@nestjs/common';
import { CommandsService } from '../commands/commands.service.js';
import { AppError } from '../common/errors/app-error.js';
import { type Transaction } from '../database/transactions.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { unsafeCommand } from './delivery-rules.js';
import { type DeliverableOrder, type NewDelivery } from './delivery.types.js';

/** One delivery for each item of an order. */
function deliveriesOf({ id: orderId, serverId, nickname, items }: DeliverableOrder, createdAt: Date): NewDelivery[] {
  return items.map(({ quantity, commandListId }, position) => ({
    orderId,
    serverId,
    position,
    nickname,
    quantity,
    commandListId,
    createdAt,
  }));
}

/** The queue of what plugins must run. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly commands: CommandsService,
  ) {}

  /**
   * Renders every command of an order, to prove that its goods can be delivered to its nickname.
   * @throws AppError nickname_not_allowed when a command is not safe with the nickname
   */
  async requireRenderable(order: Omit<DeliverableOrder, 'serverId'>): Promise<void> {
    const { shopId, items } = order;
    const listIds = items.map(({ commandListId }) => commandListId);
    const commandsOf = await this.commands.ofLists(shopId, listIds);
    const withCommands = items.map(({ quantity, commandListId }) => ({
      quantity,
      commands: commandsOf(commandListId),
    }));
    const problem = unsafeCommand({ ...order, items: withCommands });
    if (problem !== null) throw new AppError('nickname_not_allowed', { message: problem });
  }

  /** Queues an order's deliveries: new ones, and those that were held back. What a plugin has taken stays as it is. */
  async queue(order: DeliverableOrder, transaction: Transaction): Promise<void> {
    await this.deliveries.insertMissing(order.shopId, deliveriesOf(order, new Date()), transaction);
    await this.deliveries.move(order.shopId, order.id, 'queued', transaction);
  }

  /** Holds back what no plugin has taken yet. */
  revoke(shopId: string, orderId: string, transaction: Transaction): Promise<void> {
    return this.deliveries.move(shopId, orderId, 'revoked', transaction);
  }

  /** Gives waiting deliveries the order's (new) nickname. */
  rename({ shopId, id, nickname }: DeliverableOrder, transaction: Transaction): Promise<void> {
    return this.deliveries.rename(shopId, id, nickname, transaction);
  }
}
