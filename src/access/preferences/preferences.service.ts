import { Injectable } from '@nestjs/common';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { MembershipsService } from '../../shops/memberships/memberships.service.js';
import { PreferencesRepository } from './preferences.repository.js';
import { DEFAULT_SETTINGS, type SavedView, type Settings } from './preferences.types.js';
import { filterProblems, viewProblems } from './view-rules.js';

/** What people prefer. The last write wins, and the audit log does not have it: it changes nothing for others. */
@Injectable()
export class PreferencesService {
  constructor(
    private readonly preferences: PreferencesRepository,
    private readonly memberships: MembershipsService,
    private readonly transactions: Transactions,
  ) {}

  async settings({ userId }: AuthContext): Promise<Settings> {
    return (await this.preferences.settingsOf(userId)) ?? DEFAULT_SETTINGS;
  }

  async setSettings({ userId }: AuthContext, settings: Settings): Promise<Settings> {
    await this.transactions.run((transaction) => this.preferences.setSettings(userId, settings, transaction));
    return settings;
  }

  /** @throws AppError shop_not_found when the caller is no member of the shop */
  async views({ userId }: AuthContext, shopId: string): Promise<readonly SavedView[]> {
    await this.requireMember(userId, shopId, null);
    return this.preferences.viewsOf(userId, shopId);
  }

  /** Replaces all views of the caller in a shop. @throws AppError validation_failed; shop_not_found as `views` */
  setViews({ userId }: AuthContext, shopId: string, views: readonly SavedView[]): Promise<readonly SavedView[]> {
    requireValid([...viewProblems(views), ...views.flatMap(({ filters }) => filterProblems(filters))]);
    return this.transactions.run(async (transaction) => {
      await this.requireMember(userId, shopId, transaction);
      await this.preferences.setViews(userId, shopId, views, transaction);
      return views;
    });
  }

  /** Deletes all that a person prefers. */
  removeOf(userId: string, transaction: Transaction): Promise<void> {
    return this.preferences.removeOf(userId, transaction);
  }

  private async requireMember(userId: string, shopId: string, transaction: Transaction | null): Promise<void> {
    orNotFound(await this.memberships.find(shopId, userId, transaction), 'shop_not_found');
  }
}
