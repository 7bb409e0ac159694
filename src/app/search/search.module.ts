import { Module } from '@nestjs/common';
import { DiscountsModule } from '../../catalogue/discounts/discounts.module.js';
import { ProductsModule } from '../../catalogue/products/products.module.js';
import { StaffOrdersModule } from '../../orders/staff/staff-orders.module.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

@Module({
  imports: [DiscountsModule, ProductsModule, StaffOrdersModule],
  controllers: [SearchController],
  providers: [SearchService],
})
export class SearchModule {}
