import { Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { IdempotencyRotationService } from './idempotency-rotation.service.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { IDEMPOTENCY_MODEL, idempotencySchema } from './idempotency.schema.js';
import { IdempotencyService } from './idempotency.service.js';

@Global()
@Module({
  imports: [MongooseModule.forFeature([{ name: IDEMPOTENCY_MODEL, schema: idempotencySchema }])],
  providers: [IdempotencyInterceptor, IdempotencyRepository, IdempotencyRotationService, IdempotencyService],
  exports: [IdempotencyInterceptor, IdempotencyRotationService, IdempotencyService],
})
export class IdempotencyModule {}
