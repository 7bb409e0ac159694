import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { CONSENT_TEXT_MODEL, consentTextSchema } from './consent-text.schema.js';
import { ConsentTextsRepository } from './consent-texts.repository.js';
import { ConsentsController } from './consents.controller.js';
import { ConsentsService } from './consents.service.js';

@Module({
  imports: [QuotasModule, MongooseModule.forFeature([{ name: CONSENT_TEXT_MODEL, schema: consentTextSchema }])],
  controllers: [ConsentsController],
  providers: [ConsentTextsRepository, ConsentsService],
  exports: [ConsentsService],
})
export class ConsentsModule {}
