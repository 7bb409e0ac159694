import { Body, Controller, Headers, Ip, Param, Post } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { ORDER_ID } from '../../http/routes/path-parameters.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { ChangeNicknameDto } from './dto/change-nickname.dto.js';
import { CodeRequestedDto, NicknameChangeDto } from './dto/nickname-change.dto.js';
import { toNicknameChangeDto } from './nickname-change.mapper.js';
import { NicknameChangesService } from './nickname-changes.service.js';

const ORDER_TOKEN = {
  name: 'X-Order-Token',
  required: false,
  description:
    'The `accessToken` that the checkout returned. With it, strangers cannot use up the codes and attempts of the buyer.',
};

/** The endpoints with which buyers correct the nickname of an order. */
@ApiTags('Orders')
@Controller('orders/public/:orderId/nickname')
export class NicknameChangesController {
  constructor(private readonly nicknameChanges: NicknameChangesService) {}

  @Post('request')
  @Public()
  @RateLimit('verificationCode')
  @ApiParam(ORDER_ID)
  @ApiHeader(ORDER_TOKEN)
  @ApiOperation({
    summary: 'Request a nickname code',
    description: "Sends a code to the order's email address. The response is the same when the order does not exist.",
  })
  @DocumentedErrors('emails_off')
  @RespondsWith(CodeRequestedDto, 'If the order exists, a code is on its way')
  async requestCode(
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Headers('x-order-token') orderToken: string | undefined,
    @Ip() address: string | undefined,
  ): Promise<CodeRequestedDto> {
    await this.nicknameChanges.request(orderId, { address, orderToken });
    return { status: 'accepted' };
  }

  @Post('change')
  @Public()
  @DocumentedErrors(
    'verification_code_invalid',
    'nickname_not_allowed',
    'nickname_locked',
    'shop_not_found',
    'order_not_found',
    'attempts_exhausted',
  )
  @RateLimit('verificationCode')
  @ApiParam(ORDER_ID)
  @ApiHeader(ORDER_TOKEN)
  @ApiOperation({
    summary: 'Change the nickname',
    description:
      'Needs the code from the email, and works until the delivery begins. Send it as the code was requested: with `X-Order-Token`, or ' +
      'from the same network. A code allows 5 attempts. After 20 failed attempts in a day, no more codes are accepted from the holder of ' +
      'the token, or from that network, until the next day. The nickname that the order has already uses the code, too, and changes ' +
      'nothing.',
  })
  @RespondsWith(NicknameChangeDto, 'Nickname changed')
  async changeNickname(
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Headers('x-order-token') orderToken: string | undefined,
    @Ip() address: string | undefined,
    @Body() { verificationCode, newNickname }: ChangeNicknameDto,
  ): Promise<NicknameChangeDto> {
    const requester = { address, orderToken };
    return toNicknameChangeDto(await this.nicknameChanges.change(orderId, requester, verificationCode, newNickname));
  }
}
