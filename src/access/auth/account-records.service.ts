import { Injectable } from '@nestjs/common';
import { SecondFactorService } from '../../accounts/second-factor/second-factor.service.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { PreferencesService } from '../preferences/preferences.service.js';
import { PasswordResetsRepository } from './password-resets.repository.js';

/** What belongs to an account alone. */
@Injectable()
export class AccountRecordsService {
  constructor(
    private readonly secondFactor: SecondFactorService,
    private readonly resets: PasswordResetsRepository,
    private readonly preferences: PreferencesService,
  ) {}

  /** Deletes all of it. */
  async removeOf(userId: string, transaction: Transaction): Promise<void> {
    await this.secondFactor.forget(userId, transaction);
    await this.resets.removeOf(userId, transaction);
    await this.preferences.removeOf(userId, transaction);
  }
}
