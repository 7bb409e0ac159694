import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../events/audit/audit.module.js';
import { EntitlementsModule } from '../entitlements/entitlements.module.js';
import { FulfilmentModule } from '../fulfilment/fulfilment.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { OutboxModule } from '../../events/outbox/outbox.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { NicknameChangesController } from './nickname-changes.controller.js';
import { NicknameChangesService } from './nickname-changes.service.js';
import { NicknameCodeRequestsService } from './nickname-code-requests.service.js';
import { NicknameEmailsService } from './nickname-emails.service.js';
import { NicknameWritesService } from './nickname-writes.service.js';
import { NICKNAME_CODE_MODEL, nicknameCodeSchema } from './nickname-code.schema.js';
import { NicknameCodesRepository } from './nickname-codes.repository.js';
import { NicknameCodesService } from './nickname-codes.service.js';
import { StaffNicknamesController } from './staff-nicknames.controller.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';

@Module({
  imports: [
    AuditModule,
    EntitlementsModule,
    FulfilmentModule,
    OrdersModule,
    OutboxModule,
    ShopsModule,
    MongooseModule.forFeature([{ name: NICKNAME_CODE_MODEL, schema: nicknameCodeSchema }]),
  ],
  controllers: [NicknameChangesController, StaffNicknamesController],
  providers: [
    NicknameChangesService,
    NicknameCodeRequestsService,
    NicknameCodesRepository,
    NicknameCodesService,
    NicknameEmailsService,
    NicknameWritesService,
  ],
  exports: [NicknameChangesService, NicknameCodesService],
})
export class NicknameChangesModule {
  constructor(personalData: PersonalDataRegistry, codes: NicknameCodesRepository) {
    personalData.add(codes.personalData());
  }
}
