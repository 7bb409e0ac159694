import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ORDER_MODEL, orderSchema } from '../order/order.schema.js';
import { LEDGER_ENTRY_MODEL, ledgerEntrySchema } from './ledger-entry.schema.js';
import { LedgerRepository } from './ledger.repository.js';
import { LedgerService } from './ledger.service.js';
import { RecordedOrdersRepository } from './recorded-orders.repository.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: LEDGER_ENTRY_MODEL, schema: ledgerEntrySchema },
      { name: ORDER_MODEL, schema: orderSchema },
    ]),
  ],
  providers: [LedgerRepository, RecordedOrdersRepository, LedgerService],
  exports: [LedgerService],
})
export class LedgerModule {
  constructor(personalData: PersonalDataRegistry, ledger: LedgerRepository) {
    personalData.add(ledger.personalData());
  }
}
