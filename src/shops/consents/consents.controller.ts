import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { InShop, PublicView, RequirePermissions } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { toConsentTextDto } from './consent.mapper.js';
import { ConsentsService } from './consents.service.js';
import { ConsentTextDto, ConsentTextQuery } from './dto/consent.dto.js';

@ApiTags('Shops')
@Controller('shops/:shopId/consent-text')
export class ConsentsController {
  constructor(private readonly consents: ConsentsService) {}

  @Get()
  @RequirePermissions('shops:read')
  @DocumentedErrors('consent_not_found')
  @PublicView()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Read what buyers agreed to',
    description:
      'The wording of one version that the shop requires or has required. An order has the versions that its buyer agreed to.',
  })
  @RespondsWith(ConsentTextDto, 'Consent text retrieved')
  async get(@InShop() context: ShopContext, @Query() query: ConsentTextQuery): Promise<ConsentTextDto> {
    return toConsentTextDto(await this.consents.get(context, query));
  }
}
