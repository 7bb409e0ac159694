import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type CommandStages } from './command-list.types.js';
import { CommandListsRepository } from './command-lists.repository.js';

/**
 * The command templates of products. Each version of a product stores its templates once, as a list that never changes.
 * It has the templates of all stages. Orders and deliveries refer to the list, so they stay as they were sold and cost no copy.
 */
@Injectable()
export class CommandsService {
  constructor(private readonly lists: CommandListsRepository) {}

  /**
   * Stores a list.
   * @param stages templates that `commandProblems` accepts
   * @returns the id of the list
   */
  store(shopId: string, stages: CommandStages, transaction: Transaction): Promise<string> {
    return this.lists.insert(shopId, stages, transaction);
  }

  /**
   * Reads lists at once.
   * @returns a function that returns the templates of one of these lists. It throws for a list that the shop does not have:
   * an item must not be delivered without its commands.
   */
  async ofLists(
    shopId: string,
    ids: readonly string[],
    transaction: Transaction | null,
  ): Promise<(id: string) => CommandStages> {
    const found = ids.length === 0 ? [] : await this.lists.findByIds(shopId, [...new Set(ids)], transaction);
    const byId = new Map(found.map(({ id, shopId: _, ...stages }) => [id, stages]));
    return (id) => {
      const stages = byId.get(id);
      if (stages === undefined) throw new Error(`Shop ${shopId} has no command list ${id}`);
      return stages;
    };
  }
}
