import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions, WithinServers } from '../common/auth/access.decorators.js';
import { type ShopContext } from '../common/auth/auth-context.js';
import { DocumentedErrors } from '../common/errors/documented-errors.decorator.js';
import { Answers } from '../common/http/answers.decorator.js';
import { type Page } from '../common/http/page.js';
import { PageQuery } from '../common/http/page.query.dto.js';
import { SHOP_ID } from '../common/http/path-parameters.js';
import { RateLimit } from '../common/throttling/rate-limit.decorator.js';
import { toDiscountDto, toDiscountValidationDto } from './discount.mapper.js';
import { DiscountsService } from './discounts.service.js';
import { CreateDiscountDto } from './dto/create-discount.dto.js';
import { DiscountDto } from './dto/discount.dto.js';
import { DiscountValidationDto } from './dto/discount-validation.dto.js';
import { ValidateDiscountDto } from './dto/validate-discount.dto.js';

@ApiTags('Discounts')
@Controller('discounts/:shopId')
export class DiscountsController {
  constructor(private readonly discounts: DiscountsService) {}

  @Post()
  @RequirePermissions('discounts:write')
  @DocumentedErrors(409)
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'Create a discount code', description: 'null means no limit; 0 is refused.' })
  @Answers(DiscountDto, 'Discount created')
  async create(@InShop() context: ShopContext, @Body() body: CreateDiscountDto): Promise<DiscountDto> {
    return toDiscountDto(await this.discounts.create(context, body));
  }

  @Get()
  @RequirePermissions('discounts:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'List discount codes', description: 'All codes of the shop, newest first.' })
  @Answers([DiscountDto], 'Discounts retrieved')
  async list(@InShop() context: ShopContext, @Query() query: PageQuery): Promise<Page<DiscountDto>> {
    const page = await this.discounts.list(context, query);
    return page.map(toDiscountDto);
  }

  @Post('validate')
  @RequirePermissions('discounts:read')
  @WithinServers()
  @RateLimit('discountValidation')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Validate a discount code',
    description: 'Says whether a code applies, with every reason why not, and the price that follows. Counts no use.',
  })
  @Answers(DiscountValidationDto, 'Discount code checked')
  async validate(@InShop() context: ShopContext, @Body() body: ValidateDiscountDto): Promise<DiscountValidationDto> {
    return toDiscountValidationDto(await this.discounts.validate(context, body));
  }
}
