import { Module } from '@nestjs/common';
import { OrdersModule } from '../order/orders.module.js';
import { PurchasesRepository } from './purchases.repository.js';
import { PurchasesService } from './purchases.service.js';

@Module({
  imports: [OrdersModule],
  providers: [PurchasesRepository, PurchasesService],
  exports: [PurchasesService],
})
export class PurchasesModule {}
