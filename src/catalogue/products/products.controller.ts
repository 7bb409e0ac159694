import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, PublicView, RequirePermissions, WithinServers } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { PRODUCT_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { ArrangedProductsDto, ArrangeProductsDto, MAX_ARRANGED } from './dto/arrange-products.dto.js';
import { ChangedProductDto } from './dto/changed-product.dto.js';
import { CreateProductDto } from './dto/create-product.dto.js';
import { ListProductsQuery } from './dto/list-products.query.dto.js';
import { ProductDto } from './dto/product.dto.js';
import { PublicProductDto } from './dto/public-product.dto.js';
import { UpdateProductDto } from './dto/update-product.dto.js';
import { ChecksVersion, IfMatch } from '../../http/routes/versions.decorators.js';
import { type ExpectedVersions } from '../../domain/errors/require-version.js';
import { type WithVersion } from '../../http/responses/with-version.js';
import { toChangedProduct, toProductDto, toProductView, toVersionedView } from './product.mapper.js';
import { ProductReadsService } from './product-reads.service.js';
import { ProductsService } from './products.service.js';

/** What a product names, besides the product itself. */
const REFERENCES = ['product_not_found', 'category_not_found', 'server_not_found', 'image_not_found'] as const;

@ApiTags('Products')
@Controller('products/:shopId')
export class ProductsController {
  constructor(
    private readonly products: ProductsService,
    private readonly reads: ProductReadsService,
  ) {}

  @Post()
  @RequirePermissions('products:write')
  @DocumentedErrors(...REFERENCES, 'compare_at_not_allowed', 'product_slug_taken', 'quota_reached')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Create a product',
    description: 'A product that buyers can order. `warnings` lists probable mistakes.',
  })
  @RespondsWith(ChangedProductDto, 'Product created')
  async create(
    @InShop() context: ShopContext,
    @Body() body: CreateProductDto,
  ): Promise<WithVersion<ChangedProductDto>> {
    return toChangedProduct(await this.products.create(context, body));
  }

  @Get()
  @RequirePermissions('products:read')
  @WithinServers()
  @PublicView()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List products',
    description:
      'All products of the shop, or those for the game servers that the API key is restricted to; newest first. A storefront ' +
      'key gets the public view of those that are for sale.',
  })
  @RespondsWith([ProductDto], 'Products retrieved', PublicProductDto)
  async list(
    @InShop() context: ShopContext,
    @Query() query: ListProductsQuery,
  ): Promise<Page<ProductDto | PublicProductDto>> {
    const page = await this.reads.list(context, query, query);
    return page.map(toProductView);
  }

  @Get(':productId')
  @RequirePermissions('products:read')
  @DocumentedErrors('product_not_found')
  @PublicView()
  @ApiParam(SHOP_ID)
  @ApiParam(PRODUCT_ID)
  @ApiOperation({
    summary: 'Read a product',
    description:
      'One product with its commands, and an `ETag` for `If-Match`. A storefront key gets the public view, and 404 for a product that is not for sale.',
  })
  @RespondsWith(ProductDto, 'Product retrieved', PublicProductDto)
  async get(
    @InShop() context: ShopContext,
    @Param('productId', ObjectIdPipe) productId: string,
  ): Promise<WithVersion<ProductDto> | PublicProductDto> {
    return toVersionedView(await this.reads.get(context, productId));
  }

  @Patch()
  @RequirePermissions('products:write')
  @DocumentedErrors('product_not_found')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Reorder, hide or show products',
    description: `Changes up to ${MAX_ARRANGED} products at once: all of them, or none.`,
  })
  @RespondsWith(ArrangedProductsDto, 'Products arranged')
  async arrange(
    @InShop() context: ShopContext,
    @Body() { products }: ArrangeProductsDto,
  ): Promise<ArrangedProductsDto> {
    return { changed: await this.products.arrange(context, products) };
  }

  @Patch(':productId')
  @RequirePermissions('products:write')
  @DocumentedErrors(...REFERENCES, 'compare_at_not_allowed', 'product_slug_taken', 'tiers_not_alike')
  @ChecksVersion()
  @ApiParam(SHOP_ID)
  @ApiParam(PRODUCT_ID)
  @ApiOperation({
    summary: 'Change a product',
    description:
      'Changes the fields that the body contains. Orders keep the name, the price and the commands that they were placed with. ' +
      '`warnings` lists probable mistakes.',
  })
  @RespondsWith(ChangedProductDto, 'Product updated')
  async update(
    @InShop() context: ShopContext,
    @Param('productId', ObjectIdPipe) productId: string,
    @Body() body: UpdateProductDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<WithVersion<ChangedProductDto>> {
    return toChangedProduct(await this.products.update(context, productId, body, expected));
  }

  @Delete(':productId')
  @RequirePermissions('products:write')
  @DocumentedErrors('product_not_found')
  @ChecksVersion()
  @ApiParam(SHOP_ID)
  @ApiParam(PRODUCT_ID)
  @ApiOperation({
    summary: 'Delete a product',
    description:
      'The product can no longer be ordered. Existing orders are not changed, and statistics still count them. A discount for ' +
      'only this product does not become valid for others.',
  })
  @RespondsWith(ProductDto, 'Product deleted')
  async delete(
    @InShop() context: ShopContext,
    @Param('productId', ObjectIdPipe) productId: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<ProductDto> {
    return toProductDto(await this.products.delete(context, productId, expected));
  }
}
