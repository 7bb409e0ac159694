import { Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SealedRecordsRegistry } from '../database/sealed-records.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { IDEMPOTENCY_MODEL, idempotencySchema } from './idempotency.schema.js';
import { IdempotencyService } from './idempotency.service.js';

@Global()
@Module({
  imports: [MongooseModule.forFeature([{ name: IDEMPOTENCY_MODEL, schema: idempotencySchema }])],
  providers: [IdempotencyRepository, IdempotencyService],
  exports: [IdempotencyService],
})
export class IdempotencyModule {
  constructor(records: SealedRecordsRegistry, repository: IdempotencyRepository, vault: IdempotencyService) {
    records.add({ kind: 'idempotent requests', repository, vault });
  }
}
