import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { LEDGER_ENTRY_MODEL, ledgerEntrySchema } from './ledger-entry.schema.js';
import { LedgerRepository } from './ledger.repository.js';
import { LedgerService } from './ledger.service.js';

/** The ledger alone, for those who place and settle orders: they need nothing else of statistics. */
@Module({
  imports: [MongooseModule.forFeature([{ name: LEDGER_ENTRY_MODEL, schema: ledgerEntrySchema }])],
  providers: [LedgerRepository, LedgerService],
  exports: [LedgerRepository, LedgerService],
})
export class LedgerModule {}
