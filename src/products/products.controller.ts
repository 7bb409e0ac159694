import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions, WithinServers } from '../common/auth/access.decorators.js';
import { type ShopContext } from '../common/auth/auth-context.js';
import { DocumentedErrors } from '../common/errors/documented-errors.decorator.js';
import { Answers } from '../common/http/answers.decorator.js';
import { type Page } from '../common/http/page.js';
import { PageQuery } from '../common/http/page.query.dto.js';
import { SHOP_ID } from '../common/http/path-parameters.js';
import { CreateProductDto } from './dto/create-product.dto.js';
import { ProductDto } from './dto/product.dto.js';
import { toProductDto } from './product.mapper.js';
import { ProductsService } from './products.service.js';

@ApiTags('Products')
@Controller('products/:shopId')
export class ProductsController {
  constructor(private readonly products: ProductsService) {}

  @Post()
  @RequirePermissions('products:write')
  @DocumentedErrors(409)
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'Create a product', description: 'A product that buyers can order.' })
  @Answers(ProductDto, 'Product created')
  async create(@InShop() context: ShopContext, @Body() body: CreateProductDto): Promise<ProductDto> {
    return toProductDto(await this.products.create(context, body));
  }

  @Get()
  @RequirePermissions('products:read')
  @WithinServers()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List products',
    description: 'All products of the shop, or those for the game servers that the API key is bound to; newest first.',
  })
  @Answers([ProductDto], 'Products retrieved')
  async list(@InShop() context: ShopContext, @Query() query: PageQuery): Promise<Page<ProductDto>> {
    const page = await this.products.list(context, query);
    return page.map(toProductDto);
  }
}
