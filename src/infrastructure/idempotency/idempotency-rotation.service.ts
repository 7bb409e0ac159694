import { Injectable } from '@nestjs/common';
import { type SealedRecords } from '../database/sealed-records.js';
import { type Transaction } from '../database/transactions.js';
import { IdempotencyRepository, type SealedResponse } from './idempotency.repository.js';
import { IdempotencyService } from './idempotency.service.js';

/** The stored responses of requests with an `Idempotency-Key`, for a change of the encryption key. */
@Injectable()
export class IdempotencyRotationService implements SealedRecords<SealedResponse, string> {
  readonly kind = 'idempotent requests';

  constructor(
    private readonly requests: IdempotencyRepository,
    private readonly idempotency: IdempotencyService,
  ) {}

  listAfter(id: string | null, limit: number): Promise<readonly SealedResponse[]> {
    return this.requests.listAfter(id, limit);
  }

  reseal(response: SealedResponse): string | null {
    return this.idempotency.reseal(response);
  }

  replace(response: SealedResponse, resealed: string, transaction: Transaction): Promise<boolean> {
    return this.requests.reseal(response, resealed, transaction);
  }
}
