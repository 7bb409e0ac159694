import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { SALE_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { type Page } from '../../lib/paging/page.js';
import { CreateSaleDto } from './dto/create-sale.dto.js';
import { ListSalesQuery } from './dto/list-sales.query.dto.js';
import { SaleDto } from './dto/sale.dto.js';
import { UpdateSaleDto } from './dto/update-sale.dto.js';
import { toSaleDto } from './sale.mapper.js';
import { SalesService } from './sales.service.js';

@ApiTags('Sales')
@Controller('sales/:shopId')
export class SalesController {
  constructor(private readonly sales: SalesService) {}

  @Post()
  @RequirePermissions('sales:write')
  @DocumentedErrors('product_not_found', 'category_not_found', 'quota_reached')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Plan a sale',
    description:
      'Reduces the prices of some products from one moment to another. Of several sales of a product, the one with the lowest price counts. ' +
      'A discount code applies to the reduced price.',
  })
  @RespondsWith(SaleDto, 'Sale planned')
  async create(@InShop() context: ShopContext, @Body() body: CreateSaleDto): Promise<SaleDto> {
    return toSaleDto(await this.sales.create(context, body));
  }

  @Get()
  @RequirePermissions('sales:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'List sales', description: 'Newest first, all or those in one state.' })
  @RespondsWith([SaleDto], 'Sales retrieved')
  async list(@InShop() context: ShopContext, @Query() query: ListSalesQuery): Promise<Page<SaleDto>> {
    const page = await this.sales.list(context, query.state, query);
    return page.map(toSaleDto);
  }

  @Patch(':saleId')
  @RequirePermissions('sales:write')
  @DocumentedErrors('product_not_found', 'category_not_found', 'sale_not_found', 'sale_started')
  @ApiParam(SHOP_ID)
  @ApiParam(SALE_ID)
  @ApiOperation({
    summary: 'Change a sale',
    description:
      'A planned sale can change completely. A running one can get another name and end earlier: `endsAt` with the time of now stops it. ' +
      'One that has ended stays as it is. Orders keep their price.',
  })
  @RespondsWith(SaleDto, 'Sale updated')
  async update(
    @InShop() context: ShopContext,
    @Param('saleId', ObjectIdPipe) saleId: string,
    @Body() body: UpdateSaleDto,
  ): Promise<SaleDto> {
    return toSaleDto(await this.sales.update(context, saleId, body));
  }

  @Delete(':saleId')
  @RequirePermissions('sales:write')
  @DocumentedErrors('sale_not_found', 'sale_started')
  @ApiParam(SHOP_ID)
  @ApiParam(SALE_ID)
  @ApiOperation({
    summary: 'Delete a planned sale',
    description: 'A sale that has begun cannot be deleted, only ended.',
  })
  @RespondsWith(SaleDto, 'Sale deleted')
  async delete(@InShop() context: ShopContext, @Param('saleId', ObjectIdPipe) saleId: string): Promise<SaleDto> {
    return toSaleDto(await this.sales.delete(context, saleId));
  }
}
