import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { ORDER_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { NicknameChangeDto } from './dto/nickname-change.dto.js';
import { StaffNicknameDto } from './dto/staff-nickname.dto.js';
import { toNicknameChangeDto } from './nickname-change.mapper.js';
import { NicknameChangesService } from './nickname-changes.service.js';

/** The endpoint with which staff correct the nickname of an order. */
@ApiTags('Orders')
@Controller('orders/:shopId/:orderId/nickname')
export class StaffNicknamesController {
  constructor(private readonly nicknameChanges: NicknameChangesService) {}

  @Post()
  @RequirePermissions('orders:write')
  @DocumentedErrors(
    'nickname_not_allowed',
    'nickname_locked',
    'order_not_found',
    'delivery_not_found',
    'nickname_unchanged',
  )
  @ApiParam(SHOP_ID)
  @ApiParam(ORDER_ID)
  @ApiOperation({
    summary: 'Change the nickname for a buyer',
    description:
      'It must follow the rule of the shop and be safe in the commands, and nothing may have been delivered: the deliveries were ' +
      'never leased, or they failed. With `deliveryId`, this counts only for the delivery of this item, which alone gets the new ' +
      'nickname. What waits for a redelivery cannot change. The buyer gets an email about it.',
  })
  @RespondsWith(NicknameChangeDto, 'Nickname changed')
  async change(
    @InShop() context: ShopContext,
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Body() body: StaffNicknameDto,
  ): Promise<NicknameChangeDto> {
    const change = await this.nicknameChanges.changeByStaff(context, orderId, body);
    return toNicknameChangeDto(change);
  }
}
