import { Injectable } from '@nestjs/common';
import { type SealedRecords } from '../../infrastructure/database/sealed-records.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { SecondFactorCodesService } from './second-factor-codes.service.js';
import { type SealedFields, type SecondFactor } from './second-factor.types.js';
import { SecondFactorsRepository } from './second-factors.repository.js';

/** The secrets of second factors and the keys of their recovery codes, for a change of the encryption key. */
@Injectable()
export class SecondFactorRotationService implements SealedRecords<SecondFactor, SealedFields> {
  readonly kind = 'second factors';

  constructor(
    private readonly factors: SecondFactorsRepository,
    private readonly codes: SecondFactorCodesService,
  ) {}

  listAfter(id: string | null, limit: number): Promise<readonly SecondFactor[]> {
    return this.factors.listAfter(id, limit);
  }

  reseal(factor: SecondFactor): SealedFields | null {
    return this.codes.reseal(factor);
  }

  replace(factor: SecondFactor, sealed: SealedFields, transaction: Transaction): Promise<boolean> {
    return this.factors.reseal(factor, sealed, transaction);
  }
}
