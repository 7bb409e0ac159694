import { Body, Controller, Headers, Param, Post } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { InShop, Public, RequirePermissions } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { SERVER_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { ConnectCodesService } from './connect-codes.service.js';
import { ConnectCodeDto, ConnectDto, ConnectedDto } from './dto/connect-code.dto.js';

/** Connects agents with game servers. */
@ApiTags('Servers')
@Controller()
export class ConnectCodesController {
  constructor(private readonly codes: ConnectCodesService) {}

  @Post('servers/:shopId/:serverId/connect-code')
  @RequirePermissions('deliveries:write')
  @DocumentedErrors('server_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(SERVER_ID)
  @ApiOperation({
    summary: 'Make a connect code',
    description:
      'For `shop-agent init`: a code that an agent exchanges once, within 15 minutes, for a key of its game server. Only for people, with a ' +
      'bearer token. The key belongs to the person who made the code.',
  })
  @RespondsWith(ConnectCodeDto, 'Connect code created; it is shown only once')
  async create(
    @InShop() context: ShopContext,
    @Param('serverId', ObjectIdPipe) serverId: string,
  ): Promise<ConnectCodeDto> {
    const { code, expiresAt } = await this.codes.create(context, serverId);
    return { code, expiresAt: expiresAt.toISOString() };
  }

  @Post('agent/connect')
  @Public()
  @RateLimit('verificationCode')
  @DocumentedErrors(
    'permission_not_grantable',
    'connect_code_invalid',
    'shop_not_found',
    'server_not_found',
    'quota_reached',
    'idempotency_in_progress',
  )
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'Names the request: with the same one, the same code returns the same key again while it lives.',
    schema: { type: 'string', maxLength: 255, example: 'agent-8e03978e-40d5-43dd-bc93-6894a57f9324' },
  })
  @ApiOperation({
    summary: 'Connect an agent',
    description: 'Exchanges the code for a key. For another request the code is used up.',
  })
  @RespondsWith(ConnectedDto, 'Agent connected; the key is shown only once')
  connect(@Body() { code }: ConnectDto, @Headers('Idempotency-Key') request?: string): Promise<ConnectedDto> {
    return this.codes.connect(code, request?.slice(0, 255) ?? null);
  }
}
