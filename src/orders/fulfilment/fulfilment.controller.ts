import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions, WithinServers } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { AcknowledgeDto, AcknowledgedDto } from './dto/acknowledge.dto.js';
import { LeaseDeliveriesDto, LeaseDto } from './dto/lease.dto.js';
import { toLeaseDto } from './fulfilment.mapper.js';
import { FulfilmentService } from './fulfilment.service.js';

/** How many deliveries a lease takes unless the plugin says otherwise. */
const DEFAULT_LIMIT = 50;

/** What plugins call. */
@ApiTags('Deliveries')
@Controller('deliveries/:shopId')
export class FulfilmentController {
  constructor(private readonly fulfilment: FulfilmentService) {}

  @Post('lease')
  @RequirePermissions('deliveries:write')
  @DocumentedErrors('server_not_found')
  @WithinServers()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Lease deliveries',
    description:
      'Returns the deliveries that the plugin of a game server must run now. No other request gets them until `leaseUntil`. A ' +
      'delivery that is not acknowledged by then is leased again, as the next attempt with `possiblyExecuted: true`: check ' +
      'the journal of the plugin before you run it. After the fifth attempt it is `uncertain`, and staff decide. With `saysBegun` what was ' +
      'not begun did not run: it is leased again as if it had been released.',
  })
  @RespondsWith(LeaseDto, 'Deliveries leased')
  async lease(
    @InShop() context: ShopContext,
    @Body() { serverId, players = [], limit = DEFAULT_LIMIT, leaseSeconds, saysBegun }: LeaseDeliveriesDto,
  ): Promise<LeaseDto> {
    return toLeaseDto(
      await this.fulfilment.lease(context, { serverId, players, limit, leaseSeconds, saysBegun }),
      limit,
    );
  }

  @Post('ack')
  @RequirePermissions('deliveries:write')
  @WithinServers()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Acknowledge deliveries',
    description:
      'The results of attempts. The same result again changes nothing, so a plugin repeats it until it gets a response. A ' +
      'report of an older attempt is accepted while nobody reported a newer one. `begun` before the first command renews the lease; when it ' +
      'is not accepted, the commands must not run. Acknowledge `delivered` once the game has saved what the commands gave.',
  })
  @RespondsWith(AcknowledgedDto, 'Deliveries acknowledged')
  async acknowledge(@InShop() context: ShopContext, @Body() { results }: AcknowledgeDto): Promise<AcknowledgedDto> {
    return { results: [...(await this.fulfilment.acknowledge(context, results))] };
  }
}
