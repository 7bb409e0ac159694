import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, PublicView, RequirePermissions, WithinServers } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { DISCOUNT_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { ChecksVersion, IfMatch } from '../../http/routes/versions.decorators.js';
import { type ExpectedVersions } from '../../domain/errors/require-version.js';
import { type WithVersion } from '../../http/responses/with-version.js';
import { toDiscountDto, toDiscountValidationDto, toVersionedDiscount } from './discount.mapper.js';
import { DiscountValidationService } from './discount-validation.service.js';
import { DiscountsService } from './discounts.service.js';
import { CreateDiscountDto } from './dto/create-discount.dto.js';
import { ListDiscountsQuery } from './dto/list-discounts.query.dto.js';
import { DiscountDto } from './dto/discount.dto.js';
import { DiscountValidationDto } from './dto/discount-validation.dto.js';
import { UpdateDiscountDto } from './dto/update-discount.dto.js';
import { ValidateDiscountDto } from './dto/validate-discount.dto.js';

@ApiTags('Discounts')
@Controller('discounts/:shopId')
export class DiscountsController {
  constructor(
    private readonly discounts: DiscountsService,
    private readonly validations: DiscountValidationService,
  ) {}

  @Post()
  @RequirePermissions('discounts:write')
  @DocumentedErrors('product_not_found', 'server_not_found', 'discount_code_taken', 'quota_reached')
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'Create a discount', description: 'A discount code with its limits. null means no limit.' })
  @RespondsWith(DiscountDto, 'Discount created')
  async create(@InShop() context: ShopContext, @Body() body: CreateDiscountDto): Promise<WithVersion<DiscountDto>> {
    return toVersionedDiscount(await this.discounts.create(context, body));
  }

  @Get()
  @RequirePermissions('discounts:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'List discounts', description: 'Newest first, with any combination of filters.' })
  @RespondsWith([DiscountDto], 'Discounts retrieved')
  async list(@InShop() context: ShopContext, @Query() query: ListDiscountsQuery): Promise<Page<DiscountDto>> {
    const page = await this.discounts.list(context, query, query);
    return page.map(toDiscountDto);
  }

  @Get(':discountId')
  @RequirePermissions('discounts:read')
  @DocumentedErrors('discount_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(DISCOUNT_ID)
  @ApiOperation({
    summary: 'Read a discount',
    description: 'One discount with the number of its uses. Its `ETag` is for `If-Match`.',
  })
  @RespondsWith(DiscountDto, 'Discount retrieved')
  async get(
    @InShop() context: ShopContext,
    @Param('discountId', ObjectIdPipe) discountId: string,
  ): Promise<WithVersion<DiscountDto>> {
    return toVersionedDiscount(await this.discounts.get(context, discountId));
  }

  @Patch(':discountId')
  @RequirePermissions('discounts:write')
  @DocumentedErrors('product_not_found', 'server_not_found', 'discount_not_found', 'discount_code_taken')
  @ChecksVersion()
  @ApiParam(SHOP_ID)
  @ApiParam(DISCOUNT_ID)
  @ApiOperation({
    summary: 'Change a discount',
    description:
      'Changes the fields that the body contains; null removes a limit. Orders that already use the code keep their price. ' +
      '`maxUses` may be lower than `used`; then no further order can use the code.',
  })
  @RespondsWith(DiscountDto, 'Discount updated')
  async update(
    @InShop() context: ShopContext,
    @Param('discountId', ObjectIdPipe) discountId: string,
    @Body() body: UpdateDiscountDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<WithVersion<DiscountDto>> {
    return toVersionedDiscount(await this.discounts.update(context, discountId, body, expected));
  }

  @Delete(':discountId')
  @RequirePermissions('discounts:write')
  @DocumentedErrors('discount_not_found')
  @ChecksVersion()
  @ApiParam(SHOP_ID)
  @ApiParam(DISCOUNT_ID)
  @ApiOperation({
    summary: 'Delete a discount',
    description: 'The code can be used for a new discount. Orders that already use the code keep it and their price.',
  })
  @RespondsWith(DiscountDto, 'Discount deleted')
  async delete(
    @InShop() context: ShopContext,
    @Param('discountId', ObjectIdPipe) discountId: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<DiscountDto> {
    return toDiscountDto(await this.discounts.delete(context, discountId, expected));
  }

  @Post('validate')
  @RequirePermissions('discounts:validate')
  @DocumentedErrors('product_not_found', 'server_not_found')
  @WithinServers()
  @PublicView()
  @RateLimit(['discountValidation', 'visitorValidation', 'shopValidation'])
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Validate a discount code',
    description:
      'Returns whether a code applies, every reason why not, and the resulting price. It does not count as a use.',
  })
  @RespondsWith(DiscountValidationDto, 'Discount code checked')
  async validate(@InShop() context: ShopContext, @Body() body: ValidateDiscountDto): Promise<DiscountValidationDto> {
    return toDiscountValidationDto(await this.validations.validate(context, body));
  }
}
