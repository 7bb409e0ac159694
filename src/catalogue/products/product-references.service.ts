import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ServersService } from '../servers/servers.service.js';
import { CategoriesRepository } from './categories.repository.js';

/** What a product refers to: game servers and a category of its shop. */
@Injectable()
export class ProductReferencesService {
  constructor(
    private readonly servers: ServersService,
    private readonly categories: CategoriesRepository,
  ) {}

  /** @throws AppError server_not_found unless all are servers of the shop */
  requireServers(shopId: string, serverIds: readonly string[]): Promise<void> {
    return this.servers.requireAll(shopId, serverIds);
  }

  /**
   * Locks a category, so that it exists until the end of the transaction that puts a product into it.
   * @param categoryId null: none
   * @throws AppError category_not_found unless it is a category of the shop
   */
  async lockCategory(shopId: string, categoryId: string | null, transaction: Transaction): Promise<void> {
    if (categoryId === null) return;
    if (!(await this.categories.lock(shopId, categoryId, transaction))) throw new AppError('category_not_found');
  }
}
