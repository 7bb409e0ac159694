import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, PublicView, RequirePermissions } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { PageQuery } from '../../http/paging/page.query.dto.js';
import { CATEGORY_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { CategoriesService } from './categories.service.js';
import { toCategoryDto } from './category.mapper.js';
import { CategoryDto } from './dto/category.dto.js';
import { CreateCategoryDto } from './dto/create-category.dto.js';
import { UpdateCategoryDto } from './dto/update-category.dto.js';

@ApiTags('Products')
@Controller('categories/:shopId')
export class CategoriesController {
  constructor(private readonly categories: CategoriesService) {}

  @Post()
  @RequirePermissions('products:write')
  @DocumentedErrors('category_not_found', 'image_not_found', 'category_slug_taken', 'quota_reached')
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'Create a category', description: 'A group of products in the storefront.' })
  @RespondsWith(CategoryDto, 'Category created')
  async create(@InShop() context: ShopContext, @Body() body: CreateCategoryDto): Promise<CategoryDto> {
    return toCategoryDto(await this.categories.create(context, body));
  }

  @Get()
  @RequirePermissions('products:read')
  @PublicView()
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'List categories', description: 'All categories of the shop, newest first.' })
  @RespondsWith([CategoryDto], 'Categories retrieved')
  async list(@InShop() context: ShopContext, @Query() query: PageQuery): Promise<Page<CategoryDto>> {
    const page = await this.categories.list(context, query);
    return page.map(toCategoryDto);
  }

  @Patch(':categoryId')
  @RequirePermissions('products:write')
  @DocumentedErrors('category_not_found', 'image_not_found', 'category_slug_taken')
  @ApiParam(SHOP_ID)
  @ApiParam(CATEGORY_ID)
  @ApiOperation({ summary: 'Change a category', description: 'Changes the fields that the body contains.' })
  @RespondsWith(CategoryDto, 'Category updated')
  async update(
    @InShop() context: ShopContext,
    @Param('categoryId', ObjectIdPipe) categoryId: string,
    @Body() body: UpdateCategoryDto,
  ): Promise<CategoryDto> {
    return toCategoryDto(await this.categories.update(context, categoryId, body));
  }

  @Delete(':categoryId')
  @RequirePermissions('products:write')
  @DocumentedErrors('category_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(CATEGORY_ID)
  @ApiOperation({ summary: 'Delete a category', description: 'Its products stay, without a category.' })
  @RespondsWith(CategoryDto, 'Category deleted')
  async delete(
    @InShop() context: ShopContext,
    @Param('categoryId', ObjectIdPipe) categoryId: string,
  ): Promise<CategoryDto> {
    return toCategoryDto(await this.categories.delete(context, categoryId));
  }
}
