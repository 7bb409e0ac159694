import { Controller, Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { PublicOrKey } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { EtagInterceptor } from '../../http/responses/etag.interceptor.js';
import { type Versioned } from '../../http/responses/versioned.js';
import { type Page } from '../../lib/paging/page.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { PositionPageQuery } from '../../http/paging/position-page.query.dto.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { toPublicCategoryDto } from './category.mapper.js';
import { PublicCategoryDto } from './dto/public-category.dto.js';
import { PublicProductsQuery } from './dto/public-products.query.dto.js';
import { PublicProductDto } from './dto/public-product.dto.js';
import { toPublicProductDto } from './product.mapper.js';
import { PublicCatalogueService } from './public-catalogue.service.js';

const ID_OR_SLUG = {
  name: 'idOrSlug',
  description: 'The id or the slug of the product.',
  schema: { type: 'string', example: 'vip-rank' },
};

/** What a storefront shows. */
@ApiTags('Products')
@Controller()
@UseInterceptors(EtagInterceptor)
export class PublicCatalogueController {
  constructor(private readonly catalogue: PublicCatalogueService) {}

  @Get('products/public/:shopId')
  @PublicOrKey('products:read')
  @DocumentedErrors('shop_not_found')
  @RateLimit('publicShop')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List the products for buyers',
    description:
      'The products that are for sale, by position, and newest first where positions are equal. Products that are only for ' +
      'hidden servers are not included. A request with `If-None-Match` may get 304.',
  })
  @RespondsWith([PublicProductDto], 'Products retrieved')
  async listProducts(
    @Param('shopId', ObjectIdPipe) shopId: string,
    @Query() query: PublicProductsQuery,
  ): Promise<Versioned<Page<PublicProductDto>>> {
    const products = await this.catalogue.listProducts(shopId, query, query);
    return products.map((page) => page.map(toPublicProductDto));
  }

  @Get('products/public/:shopId/:idOrSlug')
  @PublicOrKey('products:read')
  @DocumentedErrors('shop_not_found', 'product_not_found')
  @RateLimit('publicShop')
  @ApiParam(SHOP_ID)
  @ApiParam(ID_OR_SLUG)
  @ApiOperation({
    summary: 'Read a product for buyers',
    description: 'A product that is for sale, by its id or its slug. A request with `If-None-Match` may get 304.',
  })
  @RespondsWith(PublicProductDto, 'Product retrieved')
  async getProduct(
    @Param('shopId', ObjectIdPipe) shopId: string,
    @Param('idOrSlug') idOrSlug: string,
  ): Promise<Versioned<PublicProductDto>> {
    return (await this.catalogue.productOf(shopId, idOrSlug)).map(toPublicProductDto);
  }

  @Get('categories/public/:shopId')
  @PublicOrKey('products:read')
  @DocumentedErrors('shop_not_found')
  @RateLimit('publicShop')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List the categories for buyers',
    description:
      'All categories, by position, and newest first where positions are equal. A request with `If-None-Match` may get 304.',
  })
  @RespondsWith([PublicCategoryDto], 'Categories retrieved')
  async listCategories(
    @Param('shopId', ObjectIdPipe) shopId: string,
    @Query() query: PositionPageQuery,
  ): Promise<Versioned<Page<PublicCategoryDto>>> {
    const categories = await this.catalogue.listCategories(shopId, query);
    return categories.map((page) => page.map(toPublicCategoryDto));
  }
}
