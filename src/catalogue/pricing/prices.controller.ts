import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { PRODUCT_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { PublicPriceDto } from './dto/public-price.dto.js';
import { PriceHistoryService } from './price-history.service.js';
import { toPublicPriceDtos } from './price-history.mapper.js';

@ApiTags('Products')
@Controller('products/:shopId/:productId/prices')
export class PricesController {
  constructor(private readonly history: PriceHistoryService) {}

  @Get()
  @RequirePermissions('products:read')
  @DocumentedErrors('product_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(PRODUCT_ID)
  @ApiOperation({
    summary: 'List the prices of a product',
    description:
      'What everybody paid for it in the last 90 days, sales included and codes not, the earliest first: at most the latest 1,000 prices. ' +
      'Prices from before the service recorded them are not listed.',
  })
  @RespondsWith([PublicPriceDto], 'Prices retrieved')
  async list(
    @InShop() context: ShopContext,
    @Param('productId', ObjectIdPipe) productId: string,
  ): Promise<PublicPriceDto[]> {
    return toPublicPriceDtos(await this.history.of(context, productId));
  }
}
