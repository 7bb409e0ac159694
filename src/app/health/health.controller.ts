import { Controller, Get, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { Public } from '../../http/routes/access.decorators.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { HealthDto, ReadinessDto } from './dto/health.dto.js';
import { isFromThisComputer } from './from-this-computer.js';
import { toReadinessDto } from './health.mapper.js';
import { HealthService } from './health.service.js';
import { VersionService } from './version.service.js';

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly version: VersionService,
  ) {}

  /** No I/O: a database that is down is no reason to restart the service. */
  @Get('live')
  @Public()
  @RateLimit('health')
  @ApiOperation({ summary: 'Is the process alive?', description: 'For an orchestrator: restart it when this fails.' })
  @RespondsWith(HealthDto, 'The process is alive')
  live(): HealthDto {
    return { status: 'ok' };
  }

  @Get('ready')
  @Public()
  @RateLimit('health')
  @ApiOperation({
    summary: 'Is the service ready?',
    description:
      'For a load balancer: no requests while this fails. It also shows the background jobs of this process, whether emails leave ' +
      'the service, where rate limits are counted, and the space on the disk. None of them changes the status: a mail server that is ' +
      'down keeps nobody from buying. Requests from the computer of the service also get its version.',
  })
  @RespondsWith(ReadinessDto, 'The service is ready')
  async ready(@Req() request: Request): Promise<ReadinessDto> {
    return toReadinessDto(await this.health.requireReady(), this.version.visibleTo(isFromThisComputer(request)));
  }
}
