import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public } from '../common/auth/access.decorators.js';
import { Answers } from '../common/http/answers.decorator.js';
import { ORDER_ID } from '../common/http/path-parameters.js';
import { RateLimit } from '../common/throttling/rate-limit.decorator.js';
import { ObjectIdPipe } from '../common/validation/object-id.js';
import { ChangeNicknameDto } from './dto/change-nickname.dto.js';
import { CodeRequestedDto, NicknameChangeDto } from './dto/nickname-change.dto.js';
import { toNicknameChangeDto } from './nickname-change.mapper.js';
import { NicknameChangesService } from './nickname-changes.service.js';

/** The endpoints with which buyers correct the nickname of an order. */
@ApiTags('Orders')
@Controller('orders/public/:orderId/nickname')
export class NicknameChangesController {
  constructor(private readonly nicknameChanges: NicknameChangesService) {}

  @Post('request')
  @Public()
  @RateLimit('verificationCode')
  @ApiParam(ORDER_ID)
  @ApiOperation({
    summary: 'Request a nickname code',
    description: "Sends a code to the order's email address. The response is the same when the order does not exist.",
  })
  @Answers(CodeRequestedDto, 'If the order exists, a code is on its way')
  requestCode(@Param('orderId', ObjectIdPipe) orderId: string): CodeRequestedDto {
    this.nicknameChanges.request(orderId);
    return { status: 'accepted' };
  }

  @Post('change')
  @Public()
  @RateLimit('verificationCode')
  @ApiParam(ORDER_ID)
  @ApiOperation({
    summary: 'Change the nickname',
    description:
      'Needs the code from the email, and works while the goods wait. A code has 5 tries. After 20 failed tries in a day an ' +
      'order accepts no code until the next day.',
  })
  @Answers(NicknameChangeDto, 'Nickname changed')
  async changeNickname(
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Body() { verificationCode, newNickname }: ChangeNicknameDto,
  ): Promise<NicknameChangeDto> {
    return toNicknameChangeDto(await this.nicknameChanges.change(orderId, verificationCode, newNickname));
  }
}
