import { Module } from '@nestjs/common';
import { DiscountsModule } from '../../catalogue/discounts/discounts.module.js';
import { ProductsModule } from '../../catalogue/products/products.module.js';
import { BuyerProfilesModule } from '../../orders/buyer-profiles/buyer-profiles.module.js';
import { StaffOrdersModule } from '../../orders/staff/staff-orders.module.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

@Module({
  imports: [BuyerProfilesModule, DiscountsModule, ProductsModule, StaffOrdersModule],
  controllers: [SearchController],
  providers: [SearchService],
})
export class SearchModule {}
