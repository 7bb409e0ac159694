import { Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { IdempotencyRotationService } from './idempotency-rotation.service.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { IDEMPOTENCY_MODEL, idempotencySchema } from './idempotency.schema.js';
import { IdempotencyService } from './idempotency.service.js';

@Global()
@Module({
  imports: [MongooseModule.forFeature([{ name: IDEMPOTENCY_MODEL, schema: idempotencySchema }])],
  providers: [IdempotencyRepository, IdempotencyRotationService, IdempotencyService],
  exports: [IdempotencyRotationService, IdempotencyService],
})
export class IdempotencyModule {}
