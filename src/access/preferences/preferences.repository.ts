import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { PREFERENCES_MODEL, type PreferencesRecord } from './preferences.schema.js';
import { type SavedView, type Settings } from './preferences.types.js';

@Injectable()
export class PreferencesRepository {
  constructor(@InjectModel(PREFERENCES_MODEL) private readonly preferences: Model<PreferencesRecord>) {}

  async settingsOf(userId: string): Promise<Settings | null> {
    const record = await this.preferences.findOne({ userId, shopId: null }, { settings: 1 }).lean();
    return record?.settings ?? null;
  }

  async setSettings(userId: string, settings: Settings, transaction: Transaction): Promise<void> {
    const change = { $set: { settings }, $setOnInsert: { views: [] } };
    await this.preferences.updateOne({ userId, shopId: null }, change, { upsert: true, session: transaction });
  }

  async viewsOf(userId: string, shopId: string): Promise<readonly SavedView[]> {
    const record = await this.preferences.findOne({ userId, shopId }, { views: 1 }).lean();
    return record?.views ?? [];
  }

  async setViews(userId: string, shopId: string, views: readonly SavedView[], transaction: Transaction): Promise<void> {
    const change = { $set: { views: [...views] }, $setOnInsert: { settings: null } };
    await this.preferences.updateOne({ userId, shopId }, change, { upsert: true, session: transaction });
  }

  /** Deletes all preferences of a person. */
  async removeOf(userId: string, transaction: Transaction): Promise<void> {
    await this.preferences.deleteMany({ userId }, { session: transaction });
  }
}
