import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { ENTITLEMENT_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { EntitlementDto } from '../entitlements/dto/entitlement.dto.js';
import { toEntitlementDto } from '../entitlements/entitlement.mapper.js';
import { EndEntitlementDto, TransferEntitlementDto } from './dto/entitlement-changes.dto.js';
import { EntitlementChangesService } from './entitlement-changes.service.js';

/** Staff change what players own. */
@ApiTags('Entitlements')
@Controller('entitlements/:shopId/:entitlementId')
export class EntitlementChangesController {
  constructor(private readonly changes: EntitlementChangesService) {}

  @Post('end')
  @RequirePermissions('orders:write')
  @DocumentedErrors('order_not_found', 'entitlement_not_found', 'entitlement_not_active')
  @ApiParam(SHOP_ID)
  @ApiParam(ENTITLEMENT_ID)
  @ApiOperation({
    summary: 'End an entitlement',
    description:
      'Takes back at once what a player has: `takeBackCommands` run, or `expiryCommands` where the product has none. Nothing is refunded. ' +
      'While another purchase gives the same, nothing runs. It is for good: no payment and no redelivery brings it back.',
  })
  @RespondsWith(EntitlementDto, 'Entitlement ended')
  async end(
    @InShop() context: ShopContext,
    @Param('entitlementId', ObjectIdPipe) entitlementId: string,
    @Body() { reason }: EndEntitlementDto,
  ): Promise<EntitlementDto> {
    return toEntitlementDto(await this.changes.end(context, entitlementId, reason));
  }
  @Post('transfer')
  @RequirePermissions('orders:write')
  @DocumentedErrors(
    'nickname_not_allowed',
    'order_not_found',
    'entitlement_not_found',
    'already_owned',
    'entitlement_not_active',
    'nickname_unchanged',
  )
  @ApiParam(SHOP_ID)
  @ApiParam(ENTITLEMENT_ID)
  @ApiOperation({
    summary: 'Transfer an entitlement',
    description:
      'Gives what a player has to another one, with the time that is left: `takeBackCommands` run for the one, and when a plugin has reported ' +
      'them, `commands` for the other one. What another purchase of the player still gives is not taken, and an item without ' +
      '`takeBackCommands` cannot be. While something of it is on its way, it is 409.',
  })
  @RespondsWith(EntitlementDto, 'Entitlement transferred')
  async transfer(
    @InShop() context: ShopContext,
    @Param('entitlementId', ObjectIdPipe) entitlementId: string,
    @Body() body: TransferEntitlementDto,
  ): Promise<EntitlementDto> {
    return toEntitlementDto(await this.changes.transfer(context, entitlementId, body));
  }
}
