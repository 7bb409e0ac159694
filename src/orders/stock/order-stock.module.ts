import { Module } from '@nestjs/common';
import { OrdersModule } from '../order/orders.module.js';
import { ProductsModule } from '../../catalogue/products/products.module.js';
import { OrderStockRepository } from './order-stock.repository.js';
import { OrderStockService } from './order-stock.service.js';

@Module({
  imports: [OrdersModule, ProductsModule],
  providers: [OrderStockRepository, OrderStockService],
  exports: [OrderStockService],
})
export class OrderStockModule {}
