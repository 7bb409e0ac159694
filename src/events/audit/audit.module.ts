import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ShopEventsModule } from '../shop-events/shop-events.module.js';
import { AuditRepository } from './audit.repository.js';
import { AUDIT_MODEL, auditSchema } from './audit.schema.js';
import { AuditService } from './audit.service.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';

@Module({
  imports: [ShopEventsModule, MongooseModule.forFeature([{ name: AUDIT_MODEL, schema: auditSchema }])],
  providers: [AuditRepository, AuditService],
  exports: [AuditService],
})
export class AuditModule {
  constructor(personalData: PersonalDataRegistry, entries: AuditRepository) {
    personalData.add(entries.personalData());
  }
}
